"""A page taken apart: its tags, its text, and what in it could run or fetch anything."""

from __future__ import annotations

import re
import unicodedata
from html.parser import HTMLParser

_TAGS = (
    "html head meta title style body main header section footer p h1 h2 ul ol li dl div dt dd b bdi span code details "
    "summary table thead tbody tr th td figure figcaption svg desc g line text polyline circle"
)
TAGS = frozenset(_TAGS.split())
_ATTRIBUTES = (
    "lang charset http-equiv content name class id dir translate open scope colspan title aria-label aria-labelledby "
    "role viewbox x y x1 y1 x2 y2 dy cx cy r points text-anchor"
)
ATTRIBUTES = frozenset(_ATTRIBUTES.split())
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


class Markup(HTMLParser):
    """`tags` are (tag, attributes) in order, `text` is what a reader sees, `style` the one style sheet."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.others: list[str] = []
        self.style = ""
        self._text: list[str] = []
        self._in_style = False
        self.feed(page)
        self.close()
        self.text = " ".join("".join(self._text).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self._in_style = tag == "style"
        self._text.append("" if tag in ("b", "bdi", "code", "span") else "\n")

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.style += data
        else:
            self._text.append(data)

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def handle_decl(self, decl: str) -> None:
        self.others.append(decl)

    def handle_pi(self, data: str) -> None:
        self.others.append(data)

    def unknown_decl(self, data: str) -> None:
        self.others.append(data)

    @property
    def skeleton(self) -> list[tuple[str, tuple[str, ...]]]:
        """Tags and the names of their attributes, in order."""
        return [(tag, tuple(attributes)) for tag, attributes in self.tags]


def assert_inert(page: str) -> Markup:
    """Return the page taken apart once it is sure that nothing in it runs, is fetched or leads away."""
    markup = Markup(page)
    assert {tag for tag, _ in markup.tags} <= TAGS
    assert {name for _, attributes in markup.tags for name in attributes} <= ATTRIBUTES
    assert markup.others == ["doctype html"]
    assert [tag for tag, _ in markup.tags].count("style") == 1
    assert not re.search(r"url\(|@import|@font-face|image\(|expression|\\|<", markup.style)
    policies = [attributes["content"] for _, attributes in markup.tags if attributes.get("http-equiv")]
    assert policies == [POLICY]
    # The policy comes before everything that it is to hold for.
    assert [tag for tag, _ in markup.tags[:4]] == ["html", "head", "meta", "meta"]
    lowered = page.lower()
    for word in ("<script", "javascript:", "http://", "https://", "data:"):
        assert word not in lowered.replace("&lt;", "&")
    hidden = {character for character in page if unicodedata.category(character)[0] == "C" and character != "\n"}
    assert hidden == set()
    return markup
