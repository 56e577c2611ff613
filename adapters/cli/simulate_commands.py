"""``consumo simulate``: rehearse a connection without the other system.

Neither command reads settings or the database.
"""

import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import FrameType

import rich_click as click

from adapters.cli.common import console, parse_address
from adapters.hl7.adt_codes import VERSIONS
from adapters.hl7.charset import ENCODINGS
from adapters.hl7.folder import FolderWriter
from adapters.setting_values.destination import Destination, error_text
from adapters.simulator.billing_system import Behavior, BillingSystem, Received, listening
from adapters.simulator.charges import CHARGE, SentCharge, balance_of
from adapters.simulator.field_lengths import CutField
from adapters.simulator.his_line import Answer, HisLine
from adapters.simulator.stays import DEMO_BEDS, HisConventions, Hospital, Sending
from adapters.simulator.ugly_ways import ugly_sendings

# Fields with this beginning name the patient: their text is not printed.
_ABOUT_PATIENTS = "PID-"


@click.group("simulate")
def simulate_group() -> None:
    """Send and receive as the hospital's systems do, to rehearse a connection.

    The messages are about invented patients. Use an installation for tests, or the demonstration.
    """


@simulate_group.command("his")
@click.option("--mllp", metavar="HOST:PORT", help="Send over the network to a receiver, such as 127.0.0.1:2575.")
@click.option("--tls-ca", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="With TLS; its authority.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Write files there instead.")
@click.option("--patients", type=click.IntRange(1, 9_999), default=6, show_default=True, help="Number of stays.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed has the same patients and stays.")
@click.option("--pace", type=click.FloatRange(0), default=0, metavar="SECONDS", help="Pause between two messages.")
@click.option("--ugly", is_flag=True, help="Then send in the unusual ways of real systems, with one patient for each.")
@click.option("--bed", "beds", multiple=True, metavar="PV1-3", help="A bed, such as UCI^201^B; give several.")
@click.option("--version", type=click.Choice(VERSIONS), default="2.5.1", show_default=True, help="MSH-12.")
@click.option("--charset", type=click.Choice([*ENCODINGS]), default="UNICODE UTF-8", show_default=True, help="MSH-18.")
@click.option("--processing", type=click.Choice(["P", "T", "D"]), default="P", show_default=True, help="MSH-11.")
def simulate_his(
    mllp: str | None,
    tls_ca: Path | None,
    folder: Path | None,
    patients: int,
    seed: int,
    pace: float,
    ugly: bool,
    beds: tuple[str, ...],
    version: str,
    charset: str,
    processing: str,
) -> None:
    """Send admission messages (HL7 v2 ADT) as a hospital's system does.

    Each message is printed with its acknowledgement. The exit status is 1 if one was refused, or answered otherwise
    than docs/interop.md says. Record numbers begin with SIM-, and the sending application is SIMULADOR.
    """
    if (mllp is None) == (folder is None):
        raise click.UsageError("Give one of --mllp and --folder.")
    if tls_ca and not mllp:
        raise click.UsageError("--tls-ca goes with --mllp.")
    for bed in beds:
        if "|" in bed or not bed.isprintable():
            raise click.UsageError(f"--bed {_printable(bed)}: give the text of PV1-3, such as UCI^201^B.")
    conventions = HisConventions(beds=beds or DEMO_BEDS, character_set=charset, version=version, processing=processing)
    hospital = Hospital(seed, datetime.now(UTC).astimezone().replace(microsecond=0), conventions)
    sendings = [*hospital.stays(patients), *(ugly_sendings(hospital) if ugly else [])]
    if folder is not None:
        _write_files(FolderWriter(folder), hospital.run_id, _paced(sendings, pace))
        console.print(f"{len(sendings)} files are in {folder}.", highlight=False)
        return
    assert mllp is not None, "asked before"
    host, port = parse_address("--mllp", mllp)
    codes, unexpected = _send(
        Destination(host=host, port=port, tls=tls_ca is not None, ca=tls_ca), _paced(sendings, pace)
    )
    counted = ", ".join(f"{count} {code or 'without an answer'}" for code, count in sorted(codes.items()))
    console.print(f"{codes.total()} messages: {counted}; {unexpected} not as expected.", highlight=False)
    if unexpected:
        sys.exit(1)


def _paced(sendings: list[Sending], pace: float) -> Iterator[Sending]:
    for number, sending in enumerate(sendings):
        if number and pace:
            time.sleep(pace)
        yield sending


def _write_files(writer: FolderWriter, run_id: str, sendings: Iterator[Sending]) -> None:
    for number, sending in enumerate(sendings, 1):
        name = f"SIM{run_id}-{number:04}"
        try:
            writer.write(name, sending.content)
        except OSError as error:
            raise click.ClickException(f"--folder: {error.strerror or error}.") from None
        for message in sending.messages:
            click.echo(_columns(message.kind, message.number, message.control_id, f"{name}.hl7", sending))


def _send(destination: Destination, sendings: Iterator[Sending]) -> tuple[Counter[str], int]:
    """Send all messages; return the number of each code and of surprises."""
    codes: Counter[str] = Counter()
    unexpected = 0
    line = HisLine(destination)
    try:
        line.connect()
    except OSError as error:
        raise click.ClickException(f"--mllp: no connection to the receiver: {error_text(error)}.") from None
    for sending in sendings:
        for answer in line.send(sending):
            codes[answer.code] += 1
            unexpected += not answer.is_expected
            click.echo(_describe(answer, sending))
    line.close()
    return codes, unexpected


def _describe(answer: Answer, sending: Sending) -> str:
    message, found = answer.message, " ".join(filter(None, (answer.code, answer.problem)))
    surprise = "" if answer.is_expected else f"  NOT AS EXPECTED: {sending.expects}"
    return _columns(message.kind, message.number, message.control_id, found, sending) + surprise


def _columns(kind: str, number: str | None, control_id: str, found: str, sending: Sending) -> str:
    way = f"  [{sending.way}: {sending.expects}]" if sending.way else ""
    return f"{kind}  {(number or '').strip():<10}  {control_id}  {_printable(found)}{way}"


@simulate_group.command("billing")
@click.option("--listen", required=True, metavar="HOST:PORT", help="Where to receive, such as 127.0.0.1:6661.")
@click.option("--refuse", type=click.IntRange(1), metavar="N", help="Refuse every Nth message (AR).")
@click.option("--silent", type=click.IntRange(1), metavar="N", help="Accept every Nth message without an answer.")
@click.option("--cut", is_flag=True, help="Cut fields at HL7 2.5.1's lengths, as strict receivers do.")
def simulate_billing(listen: str, refuse: int | None, silent: int | None, *, cut: bool) -> None:
    """Receive charges (HL7 v2 DFT) as a billing system does, until stopped.

    Each FT1-2 is booked once, however often it arrives. Charges, credits and the balance of each visit are printed
    after each message about it, and at the end.
    """
    host, port = parse_address("--listen", listen)
    ended = threading.Event()

    def end(_: int, __: FrameType | None) -> None:
        ended.set()

    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, end)
    system = BillingSystem(behavior_every(refuse, silent), cuts_fields=cut)
    system.report = lambda received: _report(system, received)
    try:
        with listening(system, host, port):
            console.print(f"Taking charges on {host}:{system.port}", highlight=False)
            ended.wait()
    except OSError as error:
        raise click.ClickException(f"--listen: cannot listen there: {error.strerror}.") from None
    click.echo(f"{len(system.bodies)} messages, {len(system.booked)} charges and credits booked")
    for visit, charges in sorted(system.balances().items()):
        click.echo(_balance(visit, charges))


def behavior_every(refuse: int | None, silent: int | None) -> Callable[[int], Behavior]:
    """Return the behavior by the number of earlier messages.

    A message that is due for both is refused.
    """

    def behave(earlier: int) -> Behavior:
        if refuse and (earlier + 1) % refuse == 0:
            return Behavior.REFUSES
        if silent and (earlier + 1) % silent == 0:
            return Behavior.BOOKS_SILENTLY
        return Behavior.ACCEPTS

    return behave


def _report(system: BillingSystem, received: Received) -> None:
    click.echo(_printable(" ".join(filter(None, (received.control_id, received.behavior, received.problem)))))
    for field in received.cut:
        click.echo(f"  {_describe_cut(field)}")
    for what, charges in (
        ("booked", received.new),
        ("known", received.known),
        ("NOT BOOKED, its FT1-2 was used for another charge", received.contradicting),
    ):
        for charge in charges:
            said = f"{charge.transaction_id} {charge.kind} {charge.code} {charge.quantity} {charge.total}: {what}"
            click.echo(f"  {_printable(said)}")
    balances = system.balances()
    for visit in sorted({charge.visit for charge in received.new}):
        click.echo(f"  {_balance(visit, balances[visit])}")


def _describe_cut(field: CutField) -> str:
    said = f"{field.place} cut from {len(field.sent)} to {field.length} characters"
    is_private = field.place.startswith(_ABOUT_PATIENTS)
    return said if is_private else _printable(f"{said}: {field.sent} became {field.kept}")


def _balance(visit: str, charges: list[SentCharge]) -> str:
    def total(is_charge: bool) -> Decimal:
        return sum((one.total for one in charges if (one.kind == CHARGE) is is_charge), Decimal(0))

    return _printable(f"visit {visit}: charges {total(True)}, credits {total(False)}, balance {balance_of(charges)}")


def _printable(text: str) -> str:
    """Replace control characters, which a terminal interprets."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
