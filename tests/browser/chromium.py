"""A headless Chromium on the other end of two pipes: its own debugging protocol, and nothing to install for it."""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

PATIENCE = 60.0


class Chromium:
    """One tab. Every message that came without being asked for is in `events`."""

    def __init__(self, process: subprocess.Popen[bytes], reading: int, writing: int) -> None:
        self._process, self._reading, self._writing = process, reading, writing
        self._rest = b""
        self._number = 0
        self._tab: str | None = None
        self.events: list[dict[str, Any]] = []

    @classmethod
    @contextmanager
    def started(cls, folder: Path) -> Iterator[Self]:
        """A browser with an empty profile in `folder`, without a network beyond what a test allows itself."""
        to_it, writing = os.pipe()
        reading, from_it = os.pipe()

        def renumber() -> None:
            # The protocol's descriptors are 3 and 4; out of the way first, they may be each other's.
            away = [os.dup(descriptor) for descriptor in (to_it, from_it)]
            high = [os.dup2(descriptor, 100 + place, inheritable=False) for place, descriptor in enumerate(away)]
            for place, descriptor in enumerate(high):
                os.dup2(descriptor, 3 + place)

        with (folder / "chromium.log").open("wb") as log:
            process = subprocess.Popen(
                [
                    os.environ.get("CHROMIUM", "chromium"),
                    "--headless=new",
                    "--remote-debugging-pipe",
                    f"--user-data-dir={folder / 'profile'}",
                    "--no-sandbox",  # the page is our own; in a container the sandbox has no namespaces to use
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-extensions",
                    "--force-color-profile=srgb",
                    "about:blank",
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                close_fds=False,
                preexec_fn=renumber,
            )
        os.close(to_it)
        os.close(from_it)
        try:
            browser = cls(process, reading, writing)
            browser._open_tab()
            yield browser
        finally:
            os.close(writing)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            os.close(reading)

    def _open_tab(self) -> None:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._tab = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Audits"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a call of the protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._tab is not None:
            message["sessionId"] = self._tab
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._writing, data) :]
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._reading], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self._reading, 1 << 16) if ready else b""
            if not data:
                raise TimeoutError("the browser says nothing")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def open(
        self, path: Path, *, width: int = 1280, height: int = 900, dark: bool = False, paper: bool = False
    ) -> None:
        """Show a file, at this width of the screen in CSS pixels, once everything on it is there."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media="print" if paper else "", features=[scheme])
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if width < 600 else 1,
            mobile=width < 600,
        )
        self.events.clear()
        self.call("Page.navigate", url=path.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def value(self, expression: str) -> Any:
        """What an expression is in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def said(self, method: str) -> list[dict[str, Any]]:
        """What the browser said of this kind since the page was opened."""
        return [event["params"] for event in self.events if event.get("method") == method]

    def picture(self) -> bytes:
        """The whole page as PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000), "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        return base64.b64decode(data)

    def printed(self) -> bytes:
        """The page as PDF on A4."""
        answer = self.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True)
        return base64.b64decode(answer["data"])
