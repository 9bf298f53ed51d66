"""TitledexError: why a call failed."""


class TitledexError(Exception):
    """Why a call failed: a sentence for people, and `code` for programs.

    ========================  ==========================================================================
    code                      when
    ========================  ==========================================================================
    ``bad_argument``          an argument has the wrong type or a value that it cannot have
    ``unreadable``            the catalogue's file cannot be opened
    ``not_a_catalogue``       the file is no catalogue of titledex
    ``version``               the catalogue was made by another version
    ``corrupt``               the catalogue is cut short or altered
    ``missing_package``       this call needs a package that is not installed
    ``internal``              what cannot happen: please report it
    ========================  ==========================================================================

    A title is never the reason: every string has an answer.

    >>> import titledex
    >>> try:
    ...     titledex.Matcher("no/such.index")
    ... except titledex.TitledexError as error:
    ...     error.code
    'unreadable'
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"
