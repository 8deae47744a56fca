"""The refusal of an action that the rules or the state of the evening forbid."""


class Refusal(Exception):
    """A write that is not carried out; nothing has changed.

    `code` names the reason, `params` carry its numbers and names. The sentence for the screen is made
    in `text/refusals.py`, so that a reason is worded once and in the reader's language.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        details = ", ".join(f"{name}={value!r}" for name, value in self.params.items())
        return f"{self.code}({details})"
