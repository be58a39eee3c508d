"""`dealerless host`: offer a match and play it as seat 0."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from ..games import GAMES
from ..games.hex import HEX, MAX_DEPTH
from ..games.showdown import SHOW_RULES
from ..net.seating import Ending
from ..net.star import Proposal
from ..net.star import host as play_host
from ..net.transport import Listener, read_address
from ..protocol.events import MAX_HANDS, MAX_NAME, MAX_SECONDS, MAX_WITNESSES
from ..protocol.opening import DEALINGS
from . import identity
from .status import Status
from .table import Manner, command_line, open_new, shared_options
from .values import Hex, Number

_USUAL_SECONDS: Final = 60
"""For a move, and again as the bank for a hand: time to think, and none to walk away."""


@click.command(
    epilog="Example: dealerless host --bet 10 --depth 5 --hands 3 --listen 0.0.0.0:4000. "
    "With deadlines: dealerless host --witness 192.0.2.9:4100,KEY --move-time 60 --bank 120"
)
@click.option("--game", type=click.Choice(list(GAMES)), default=HEX.name, show_default=True, help="What is played.")
@click.option("--bet", type=Number(1, 10**10 - 1), default=10, show_default=True, metavar="B", help="Bet and ante.")
@click.option(
    "--depth", type=Number(1, MAX_DEPTH), default=5, show_default=True, metavar="K", help="Stack of a hand, in bets."
)
@click.option("--hands", type=Number(1, MAX_HANDS), default=10, show_default=True, metavar="N", help="Hands to play.")
@click.option(
    "--suite",
    type=click.Choice(sorted({suite for dealing in DEALINGS.values() for suite in dealing.suites}, reverse=True)),
    default="sha256",
    show_default=True,
    help="The digest that the cards are made from.",
)
@click.option(
    "--show", type=click.Choice(SHOW_RULES), default="all", show_default=True, help="Who shows at a showdown."
)
@click.option("--listen", default="127.0.0.1:0", show_default=True, metavar="ADDR", help="Where; port 0 is any.")
@click.option(
    "--witness-threshold",
    "threshold",
    type=Number(1, MAX_WITNESSES),
    metavar="N",
    help="How many witnesses must agree that somebody is late; if not said, more than half.",
)
@click.option("--move-time", type=Number(1, MAX_SECONDS), metavar="S", help="Seconds for a move; 60 if not said.")
@click.option(
    "--bank", type=Number(0, MAX_SECONDS), metavar="S", help="Seconds more for each seat in a hand; 60 if not said."
)
@click.option("--expect", type=Hex(32), metavar="KEY", help="Keep the other seat for this key (64 hex digits).")
@click.option("--name", default="host", show_default=True, help=f"Your name, at most {MAX_NAME} characters.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The transcript. Nothing is overwritten.")
@shared_options
def host(
    game: str,
    bet: int,
    depth: int,
    hands: int,
    suite: str,
    show: str,
    listen: str,
    threshold: int | None,
    move_time: int | None,
    bank: int | None,
    expect: bytes | None,
    name: str,
    out: Path | None,
    **manner: Any,
) -> Status:
    """Offer a match, wait for somebody to join, and play it as seat 0.

    The command that the other side has to type is printed; it names your key, and is to be passed on by a way
    nobody can change. Terms are shown and accepted before anything is signed. The transcript is written as you
    play; after a crash `dealerless resume` goes on with it. Type a move and its amount, or quit.

    With witnesses (dealerless witness) there are deadlines: whoever lets the time for a move and the bank for the
    hand run out forfeits what it has in the pot, and the match.
    """
    how = Manner(**manner)
    deadlines = read_deadlines(len(how.witnesses), threshold, move_time, bank)
    rules = (bet, depth, show)
    GAMES[game].read_terms(rules, 2)
    check_name(name)
    address = read_address(listen)
    key = identity.load(how.identity, how.passphrase_file)
    seat, files = open_new(key, name, how, out, (suite,))

    async def match() -> Ending:
        listener = Listener(address)
        seat.terminal.say(f"listening on {listener.address}")
        seat.terminal.say("the other side joins with:")
        # 0.0.0.0 and :: mean all addresses of this machine, and are none to go to from elsewhere.
        reached = str(listener.address) if address.host.strip("0.:") else f"HOST:{listener.address.port}"
        md5 = ("--allow-md5",) if suite == "md5" else ()
        join = ("join", reached, "--pin", key.public.key.hex(), *md5, *how.witness_words)
        seat.terminal.say("  " + command_line(*join))
        seat.again = command_line("resume", files.transcript, str(listener.address), *how.witness_words)
        proposal = Proposal(
            game=game,
            dealing="hash",
            suite=suite,
            hands=hands,
            rules=rules,
            seats=2,
            threshold=deadlines[0],
            move_seconds=deadlines[1],
            bank_seconds=deadlines[2],
        )
        return await play_host(seat.sitting, listener, proposal=proposal, expected=() if expect is None else (expect,))

    return seat.run(match())


def read_deadlines(witnesses: int, threshold: int | None, move: int | None, bank: int | None) -> tuple[int, int, int]:
    """Return threshold, seconds for a move and seconds of the bank; all 0 without witnesses. A usage error if none fit.

    Usual are 60 s and 60 s, and more than half of the witnesses.
    """
    if not witnesses:
        if (threshold, move, bank) != (None, None, None):
            raise click.UsageError("deadlines need a witness to keep the time: --witness ADDR,KEY")
        return 0, 0, 0
    if witnesses > MAX_WITNESSES:
        raise click.UsageError(f"at most {MAX_WITNESSES} witnesses")
    agree = witnesses // 2 + 1 if threshold is None else threshold
    if agree > witnesses:
        raise click.UsageError(f"--witness-threshold is {agree}, and there are {witnesses} witnesses")
    return agree, _USUAL_SECONDS if move is None else move, _USUAL_SECONDS if bank is None else bank


def check_name(name: str) -> None:
    """Return if a name fits into an offer; a usage error otherwise. ENC-6."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise click.UsageError("--name is not text in this terminal's encoding") from None
    if len(name) > MAX_NAME:
        raise click.UsageError(f"--name is longer than {MAX_NAME} characters")
