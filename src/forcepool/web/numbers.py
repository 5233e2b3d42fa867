"""Numbers in addresses: of no more digits than anything here is counted with."""

from starlette.convertors import IntegerConvertor, register_url_convertor


class NumberConvertor(IntegerConvertor):
    """As `int`, but never so large that a file or the machine cannot hold it."""

    regex = "[0-9]{1,9}"


register_url_convertor("number", NumberConvertor())
