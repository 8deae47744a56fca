"""Ways to forge the commitments, the words of the hall and the marks of the rounds."""

from hashlib import sha256
from typing import Any

from scoring.core.marks import round_digest
from tests.scoring.forgeries import Record, Records, chained_anew, entries, forged
from tournaments.core.ceremony import commitment_digest, seed_of

OTHER = "5c" * 32
AT_COMMITMENT = r"\$\.commitments\[\d\]"


def commitment(record: Record, number: int) -> Any:
    return record["commitments"][number - 1]


def mark(record: Record, number: int) -> Any:
    return record["marks"][number - 1]


def digest_anew(record: Record, number: int) -> None:
    """Make the commitment for what it says, and tell the next one of it."""
    found = commitment(record, number)
    found["digest"] = commitment_digest(found["value"], found["secret"])
    for later in record["commitments"][number : number + 1]:
        later["value"]["before"] |= {"digest": found["digest"], "secret": found["secret"]}
        digest_anew(record, number + 1)


def marked_anew(record: Record) -> None:
    before = ""
    for found in record["marks"]:
        before = round_digest(before, {key: found[key] for key in ("round", "draw", "sheets")})
        found["digest"] = before


@forged("ceremony", AT_COMMITMENT + r"\.digest", "It should be")
def another_secret(record: Record) -> None:
    commitment(record, 4)["secret"] = OTHER


@forged("ceremony", r"\$\.rounds\[1\]\.draw\.seed", "It should be")
def another_secret_with_its_commitment(record: Record) -> None:
    commitment(record, 4)["secret"] = OTHER
    digest_anew(record, 4)


@forged("ceremony", r"\$\.rounds\[1\]\.tables\[0\]\.seats\[\d\]\.start_number", "By the draw")
def another_secret_with_its_commitment_and_seed(record: Record) -> None:
    commitment(record, 4)["secret"] = OTHER
    digest_anew(record, 4)
    record["rounds"][1]["draw"]["seed"] = seed_of(OTHER, "")


@forged("ceremony", r"\$\.commitments\[2\]\.value\.before", "Eichel sieben")
def other_words(record: Record) -> None:
    commitment(record, 3)["value"]["before"]["words"] = "Herz"
    digest_anew(record, 3)


@forged("ceremony", r"\$\.rounds\[0\]\.draw\.abandoned\[0\]\.seed", "It should be")
def other_words_everywhere(record: Record) -> None:
    commitment(record, 2)["words"] = "Herz"
    commitment(record, 3)["value"]["before"]["words"] = "Herz"
    digest_anew(record, 3)


@forged("ceremony", r"\$\.rounds\[1\]\.draw\.seed", "It should be")
def words_that_nobody_said(record: Record) -> None:
    commitment(record, 4)["words"] = "Gras"


@forged("ceremony", AT_COMMITMENT + r"\.words_at", "It is null")
def a_draw_before_the_words(record: Record) -> None:
    commitment(record, 4).update(words=None, words_at=None)


@forged("ceremony", AT_COMMITMENT + r"\.words_at", "together")
def words_without_a_time(record: Record) -> None:
    commitment(record, 4)["words_at"] = None


@forged("ceremony", AT_COMMITMENT + r"\.words_at", "older than the commitment")
def words_before_the_commitment(record: Record) -> None:
    commitment(record, 4)["words_at"] = "2026-11-21T00:00:00Z"


@forged("ceremony", AT_COMMITMENT + r"\.words_at", "younger than the draw")
def words_after_the_draw(record: Record) -> None:
    commitment(record, 4)["words_at"] = "2026-11-22T00:00:00Z"


@forged("ceremony", r"\$\.commitments\[1\]\.number", "no commitment may be missing")
def a_replaced_commitment_left_out(record: Record) -> None:
    del record["commitments"][1]


@forged("ceremony", r"\$\.commitments\[0\]\.number", "no commitment may be missing")
def the_first_commitment_left_out(record: Record) -> None:
    del record["commitments"][0]


@forged("ceremony", r"\$\.commitments\[1\]", "No draw of the record follows")
def an_attempt_with_a_commitment_left_out(record: Record) -> None:
    draw = record["rounds"][0]["draw"]
    draw["abandoned"] = []
    draw["attempt"] = 1
    commitment(record, 3)["attempt"] = commitment(record, 3)["value"]["attempt"] = 1
    digest_anew(record, 3)


@forged("ceremony", r"\$\.rounds\[0\]\.draw\.abandoned\[0\]\.commitment", "used for nothing else")
def one_commitment_for_two_draws(record: Record) -> None:
    record["rounds"][0]["draw"]["abandoned"][0]["commitment"] = 1


@forged("ceremony", r"\$\.commitments\[3\]", "No draw of the record follows")
def a_draw_that_denies_its_commitment(record: Record) -> None:
    record["rounds"][1]["draw"]["commitment"] = None


@forged("ceremony", r"\$\.rounds\[1\]\.draw\.commitment", "used for nothing else")
def a_commitment_that_does_not_exist(record: Record) -> None:
    record["rounds"][1]["draw"]["commitment"] = 9


@forged("ceremony", AT_COMMITMENT + r"\.value\.players", "It should be")
def a_draw_for_other_players(record: Record) -> None:
    commitment(record, 4)["value"]["players"].pop()
    digest_anew(record, 4)


@forged("ceremony", AT_COMMITMENT + r"\.value\.mode", "It should be")
def a_draw_in_another_mode(record: Record) -> None:
    commitment(record, 4)["value"]["mode"] = "random"
    digest_anew(record, 4)


@forged("ceremony", AT_COMMITMENT + r"\.value\.history", "It should be")
def a_draw_after_another_round(record: Record) -> None:
    commitment(record, 4)["value"]["history"][0].reverse()
    digest_anew(record, 4)


@forged("ceremony", AT_COMMITMENT + r"\.value\.round", "It should be 2")
def a_commitment_to_another_round(record: Record) -> None:
    commitment(record, 4)["value"]["round"] = 3
    digest_anew(record, 4)


@forged("ceremony", r"\$\.rounds\[1\]\.draw\.commitment", "used for nothing else")
def a_commitment_of_another_round(record: Record) -> None:
    commitment(record, 4)["round"] = commitment(record, 4)["value"]["round"] = 1
    digest_anew(record, 4)


@forged("ceremony", AT_COMMITMENT + r"\.value\.before", "It should be")
def a_commitment_without_the_one_before(record: Record) -> None:
    commitment(record, 4)["value"]["before"] = None
    digest_anew(record, 4)


@forged("ceremony", AT_COMMITMENT + r"\.value\.before", "It should be")
def another_secret_of_the_one_before(record: Record) -> None:
    commitment(record, 4)["value"]["before"]["secret"] = OTHER
    digest_anew(record, 4)


@forged("ceremony", AT_COMMITMENT + r"\.secret", "It should be the secret")
def a_secret_kept_back(record: Record) -> None:
    commitment(record, 4).update(secret=None, value=None)


@forged("ceremony", AT_COMMITMENT + r"\.value", "It should be null")
def a_value_without_its_secret(record: Record) -> None:
    commitment(record, 4)["secret"] = None


@forged("ceremony", AT_COMMITMENT + r"\.value\.luck", "luck")
def something_else_in_a_commitment(record: Record) -> None:
    commitment(record, 4)["value"]["luck"] = 7
    digest_anew(record, 4)


@forged("sealed", r"\$\.commitments\[3\]", "No draw of the record follows")
def a_commitment_to_a_round_that_is_drawn(record: Record) -> None:
    commitment(record, 4)["round"] = 1


@forged("lot", r"\$\.decisions\[0\]\.seed", "It should be")
def other_words_for_a_lot(record: Record) -> None:
    commitment(record, 3)["words"] = "Herz"


@forged("lot", AT_COMMITMENT + r"\.value\.lot", "It should be")
def a_lot_between_others(record: Record) -> None:
    commitment(record, 3)["value"]["lot"].pop()
    digest_anew(record, 3)


@forged("lot", r"\$\.decisions\[0\]\.order", "It should be")
def a_lot_with_another_result(record: Record) -> None:
    record["decisions"][0]["order"].reverse()


@forged("lot", r"\$\.decisions\[0\]\.commitment", "used for nothing else")
def a_lot_from_the_commitment_of_a_draw(record: Record) -> None:
    record["decisions"][0]["commitment"] = 2


@forged("lot", r"\$\.commitments\[2\]", "No draw of the record follows")
def a_lot_that_denies_its_commitment(record: Record) -> None:
    record["decisions"][0]["commitment"] = None


@forged("ceremony", AT_COMMITMENT + r"\.value\.history", "It should be")
def a_commitment_that_does_not_know_the_round_before(record: Record) -> None:
    commitment(record, 4)["value"]["history"] = []
    digest_anew(record, 4)


@forged("ceremony", r"\$\.marks\[1\]\.digest", "It should be")
def another_mark_of_a_round(record: Record) -> None:
    mark(record, 2)["digest"] = OTHER


@forged("ceremony", r"\$\.marks\[0\]\.digest", "It should be")
def the_first_mark_left_out(record: Record) -> None:
    del record["marks"][0]


@forged("ceremony", r"\$\.marks\[0\]\.sheets", "It should be")
def the_mark_of_a_correction_left_out(record: Record) -> None:
    record["marks"].pop()


@forged("placing", r"\$\.marks", "no mark of round 2")
def the_mark_of_a_closed_round_left_out(record: Record) -> None:
    record["marks"].pop()


@forged("ceremony", r"\$\.marks\[0\]\.round", "before it is closed")
def a_mark_of_a_round_in_play(record: Record) -> None:
    mark(record, 1)["round"] = 2


@forged("ceremony", r"\$\.marks\[1\]\.sheets", "It should be")
def a_mark_over_another_sheet(record: Record) -> None:
    mark(record, 2)["sheets"][0]["digest"] = OTHER
    marked_anew(record)


@forged("ceremony", r"\$\.marks\[1\]\.draw", "It should be")
def a_mark_over_another_draw(record: Record) -> None:
    mark(record, 2)["draw"] = sha256(b"").hexdigest()
    marked_anew(record)


@forged("ceremony", r"\$\.marks\[1\]\.sheets", "It should be")
def a_sheet_changed_after_its_mark(record: Record) -> None:
    """Where nothing else follows from it, the mark of the round still tells."""
    entries(record)[-1]["made_at"] = "2026-11-21T18:31:00Z"
    chained_anew(record)


@forged("placing", r"\$\.marks\[0\]\.draw", "It should be")
def an_abandoned_attempt_with_another_seed(record: Record) -> None:
    record["rounds"][0]["draw"]["abandoned"][0]["seed"] = OTHER


@forged("sealed", r"\$\.marks\[1\]\.sheets|\$\.standings.*", "It should be")
def a_sheet_of_another_record(record: Record, others: Records) -> None:
    record["rounds"][0]["tables"][0]["entries"] = []
    record["rounds"][0]["tables"][0]["mark"] = None
