"""TitledexError: the error of every call that fails."""

import re

# As they end the text of an error.
_CODE = re.compile(r" \[(bad_argument|unreadable|not_a_catalogue|version|corrupt|missing_package|internal)\]")


class TitledexError(Exception):
    """A call that failed: a sentence for people, and `code` for programs.

    ========================  ==========================================================================
    code                      when
    ========================  ==========================================================================
    ``bad_argument``          an argument has the wrong type or an invalid value
    ``unreadable``            the catalogue's file cannot be opened
    ``not_a_catalogue``       the file is not a titledex catalogue
    ``version``               the catalogue was made by another version
    ``corrupt``               the catalogue is truncated or altered
    ``missing_package``       this call needs a package that is not installed
    ``internal``              a bug: please report it
    ========================  ==========================================================================

    A title never causes one: every string has an answer.

    >>> import titledex
    >>> try:
    ...     titledex.Matcher("no/such.index")
    ... except titledex.TitledexError as error:
    ...     error.code
    'unreadable'
    """

    def __init__(self, code: str, message: str | None = None) -> None:
        if message is None:
            # of one text, the `str` of another: so Polars makes the error of an expression anew, and adds the expression
            found = _CODE.search(code)
            code, message = (found[1], code[: found.start()] + code[found.end() :].rstrip()) if found else ("internal", code)
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"
