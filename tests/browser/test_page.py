"""Pages in a real browser: nothing runs, nothing is fetched, nothing sticks out, everything can be read.

Run by `make browser`, not by `make test`: it needs Chromium.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.browser.chromium import Chromium
from tests.cli.conftest import clean_bytes, fault_bytes
from tests.cli.matches import broken, offer, play
from tests.matches import Match, by_chance, hex_offer, named, toy_offer, transcript
from tests.report.deals import drawn, rounds, three_seats
from tests.report.pages import page_of, told
from tests.report.tables import match

PHONE, DESK, SHEET = 390, 1280, 680

HOSTILE = ("<img src=x onerror=alert(1)>", "\u202e\u200b\u05d0\u0410lice\x1b[2J" + "W" * 15)


@cache
def matches() -> dict[str, bytes]:
    whole = play(by_chance("8"), terms=offer(hands=3)).transcript()
    hostile = broken("<b>", 0, terms=offer(names=HOSTILE)).transcript()
    return {
        "clean": clean_bytes(),
        "fault": fault_bytes(),
        "incomplete": transcript(*play(named("BET CALL"), terms=offer(hands=2)).frames[:-4]),
        "damaged": whole[:-7],
        "unreadable": b"\x1f\x8b\x08 not a transcript",
        "hostile": hostile,
        "many hands": play(by_chance("60"), terms=offer(hands=60)).transcript(),
        "many chips": play(by_chance("2"), terms=hex_offer(hands=3, bet=2**50 - 1, depth=3)).transcript(),
        "many seats": Match(toy_offer(seats=9, hands=2)).play().transcript(),
        "holdem": three_seats().transcript(),
        "draw": drawn().transcript(),
        "onepoker": rounds().transcript(),
    }


NINE = "holdem, nine seats"


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    written = {}
    for name, data in matches().items():
        written[name] = folder / f"{name}.html"
        written[name].write_text(told(data, f"{name}.dlt")[1], "utf-8")
    written[NINE] = folder / "nine.html"
    written[NINE].write_text(page_of(*match(9, 9, 8, stack=100_000)), "utf-8")
    return written


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with Chromium.started(tmp_path_factory.mktemp("chromium")) as started:
        yield started


NAMES = [*sorted(matches()), NINE]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_runs_and_nothing_is_fetched(browser: Chromium, pages: dict[str, Path], name: str) -> None:
    """F13: one request, for the page itself; no script, no handler, no dialog, no complaint of the browser."""
    browser.open(pages[name])
    assert [sent["request"]["url"] for sent in browser.said("Network.requestWillBeSent")] == [pages[name].as_uri()]
    assert browser.said("Page.javascriptDialogOpening") == []
    assert [entry["entry"]["text"] for entry in browser.said("Log.entryAdded")] == []
    assert browser.said("Audits.issueAdded") == []
    assert browser.value("document.scripts.length + document.images.length + document.links.length") == 0
    assert browser.value("document.compatMode") == "CSS1Compat"
    attributes = browser.value(
        "[...new Set([...document.querySelectorAll('*')].flatMap(element => element.getAttributeNames()))]"
    )
    assert not [attribute for attribute in attributes if attribute.startswith("on") or attribute in ("src", "href")]


def test_the_policy_holds_whatever_gets_into_the_page(browser: Chromium, pages: dict[str, Path]) -> None:
    """F13: a second wall behind the escaping: even a page with a hole in it runs and fetches nothing."""
    browser.open(pages["clean"])
    browser.value(
        "document.body.insertAdjacentHTML('beforeend', "
        '\'<img src=https://x.example/1 onerror="window.hit = 1">'
        '<iframe srcdoc="<script>top.hit = 2</script>"></iframe>'
        '<b onclick="window.hit = 3" id=bait>x</b>\');'
        "const script = document.createElement('script'); script.text = 'window.hit = 4'; document.body.append(script);"
        "document.getElementById('bait').click(); new Promise(done => setTimeout(done, 300))"
    )
    assert browser.value("window.hit === undefined")
    assert all(sent["request"]["url"].startswith("file:") for sent in browser.said("Network.requestWillBeSent")) or any(
        "Content Security Policy" in entry["entry"]["text"] for entry in browser.said("Log.entryAdded")
    )


STICKING = """
[...document.querySelectorAll('body *')].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width > 0 && (box.right > innerWidth + 0.5 || box.left < -0.5);
}).map(element => element.outerHTML.slice(0, 80))
"""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [320, PHONE, DESK])
def test_nothing_sticks_out(browser: Chromium, pages: dict[str, Path], name: str, width: int) -> None:
    """No scrolling sideways, also with everything unfolded: hashes, shell lines and long names wrap."""
    browser.open(pages[name], width=width, height=800)
    for _ in range(2):
        assert browser.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        sticking = browser.value(STICKING)
        assert sticking == []
        browser.value("document.querySelectorAll('details').forEach(one => one.open = true)")


ALONE = """
document.querySelectorAll('details').forEach(details => { details.open = true; });
[...document.querySelectorAll('.outcome')].filter(element =>
  element.previousElementSibling.getBoundingClientRect().bottom <= element.getBoundingClientRect().top
).map(element => element.parentElement.innerText)
"""


@pytest.mark.parametrize("name", NAMES)
def test_what_a_seat_won_stands_beside_its_cards(browser: Chromium, pages: dict[str, Path], name: str) -> None:
    browser.open(pages[name], width=DESK)
    assert browser.value(ALONE) == []


BROKEN = """
document.querySelectorAll('details').forEach(details => { details.open = true; });
[...document.querySelectorAll('dt, .told')].filter(element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(line => line.top)).size > 1;
}).map(element => element.innerText)
"""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [320, PHONE, DESK])
def test_what_belongs_together_is_on_one_line(browser: Chromium, pages: dict[str, Path], name: str, width: int) -> None:
    """What a fact is called has room beside it, and who has won a hand is not torn apart where it fits on a line."""
    browser.open(pages[name], width=width)
    assert [text for text in browser.value(BROKEN) if len(text) < 30] == []


SCATTERED = """
document.querySelectorAll('details').forEach(details => { details.open = true; });
[...document.querySelectorAll('.move .cards')].filter(element =>
  new Set([...element.children].map(card => card.getBoundingClientRect().top)).size > 1
).map(element => element.parentElement.innerText)
"""


@pytest.mark.parametrize("name", NAMES)
def test_the_cards_that_a_seat_shows_are_side_by_side(browser: Chromium, pages: dict[str, Path], name: str) -> None:
    browser.open(pages[name], width=PHONE)
    assert browser.value(SCATTERED) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_verdict_is_the_first_thing_on_a_phone(browser: Chromium, pages: dict[str, Path], name: str) -> None:
    """The word, why, and whose fault, before anything has to be scrolled to."""
    browser.open(pages[name], width=PHONE, height=844)
    assert browser.value("document.querySelector('h1').getBoundingClientRect().bottom") < 200
    assert browser.value("document.querySelector('.reasons').getBoundingClientRect().bottom") < 500
    assert browser.value("document.querySelector('.blame')?.getBoundingClientRect().bottom ?? 0") < 844


@pytest.mark.parametrize("name", ["clean", "fault", "many hands", "many chips", "many seats", "onepoker", NINE])
@pytest.mark.parametrize("width", [320, PHONE, DESK])
def test_the_drawing_can_be_read(browser: Chromium, pages: dict[str, Path], name: str, width: int) -> None:
    """Letters of a size to read on every screen, none cut off, none over another."""
    browser.open(pages[name], width=width, height=800)
    boxes = browser.value(
        "(() => { const frame = document.querySelector('svg').getBoundingClientRect(); "
        "return [...document.querySelectorAll('svg text')].map(text => { const box = text.getBoundingClientRect(); "
        "const size = parseFloat(getComputedStyle(text).fontSize) * frame.width / 4000; "
        "return [text.textContent, size, box.left - frame.left, box.top - frame.top, frame.right - box.right, "
        "frame.bottom - box.bottom, box.left, box.top, box.right, box.bottom] }) })()"
    )
    assert len(boxes) > 5
    for text, size, *inside in boxes:
        assert (8.0 if width < PHONE else 10.0) <= size <= 17, text
        assert min(inside[:4]) >= -0.5, text
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            (left, top, right, bottom), (left2, top2, right2, bottom2) = one[6:], other[6:]
            # Boxes have air above and below their letters.
            air = 0.15 * (bottom - top)
            apart = right <= left2 or right2 <= left or bottom - air <= top2 + air or bottom2 - air <= top + air
            assert apart, (one[0], other[0])


CONTRAST = """
(() => {
  const channels = text => text.match(/[0-9.]+/g).map(Number);
  const light = text => channels(text).slice(0, 3).map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, place) => sum + value * [0.2126, 0.7152, 0.0722][place], 0);
  const ground = element => { for (let one = element; one; one = one.parentElement) {
    const color = getComputedStyle(one).backgroundColor; const alpha = channels(color)[3];
    if (alpha === undefined || alpha > 0) return color; } return 'rgb(255, 255, 255)'; };
  const faint = [];
  for (const element of document.querySelectorAll('body *')) {
    if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
    if (['TITLE', 'DESC'].includes(element.tagName.toUpperCase())) continue;
    const style = getComputedStyle(element);
    const one = light(element.closest('svg') ? style.fill : style.color), other = light(ground(element));
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) faint.push([element.textContent.trim().slice(0, 40), contrast]);
  }
  return faint;
})()
"""


@pytest.mark.parametrize(
    "name", ["clean", "fault", "incomplete", "unreadable", "many seats", "holdem", "onepoker", NINE]
)
@pytest.mark.parametrize("look", ["light", "dark", "paper"])
def test_all_text_stands_out_from_its_ground(browser: Chromium, pages: dict[str, Path], name: str, look: str) -> None:
    """At least 4.5 to 1 (WCAG 2, AA), by day, by night and on paper."""
    browser.open(pages[name], dark=look != "light", paper=look == "paper")
    assert browser.value(CONTRAST) == []
    ground = browser.value("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(21, 24, 29)" if look == "dark" else "rgb(255, 255, 255)")


@pytest.mark.parametrize("name", NAMES)
def test_paper_has_what_is_folded_on_the_screen(browser: Chromium, pages: dict[str, Path], name: str) -> None:
    """Nobody can unfold a sheet: groups and hands are printed, only the shell lines stay folded."""
    browser.open(pages[name], width=SHEET, paper=True)
    assert browser.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    hidden = (
        "[...document.querySelectorAll('%s')].filter(element => element.getBoundingClientRect().height === 0).length"
    )
    assert browser.value(hidden % ".hand > summary") == 0
    assert browser.value(hidden % ".players .line") == 0
    if name != "many hands":
        assert browser.value(hidden % ".moves") == 0
    assert browser.printed().startswith(b"%PDF-")
