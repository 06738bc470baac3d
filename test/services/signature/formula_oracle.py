"""Reads [{formula, operands}] and prints what each formula comes to: a text, "zero" or "large".

Python reads the formula itself. Numbers are of `decimal`; each step is rounded to 12 decimals, half away from zero.
"""

import decimal
import json
import re
import sys

decimal.getcontext().prec = 200
STEP = decimal.Decimal(1).scaleb(-12)


class Large(Exception):
    pass


class Number:
    def __init__(self, value):
        self.value = decimal.Decimal(value)

    def step(self, value):
        rounded = value.quantize(STEP, rounding=decimal.ROUND_HALF_UP)
        if abs(rounded) >= 10**18:
            raise Large
        return Number(rounded)

    def __add__(self, other):
        return self.step(self.value + other.value)

    def __sub__(self, other):
        return self.step(self.value - other.value)

    def __mul__(self, other):
        return self.step(self.value * other.value)

    def __truediv__(self, other):
        if other.value == 0:
            raise ZeroDivisionError
        return self.step(self.value / other.value)

    def __neg__(self):
        return Number(-self.value)

    def __pos__(self):
        return self


def text(value):
    written = format(value, "f")
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    return "0" if written in ("-0", "0") else written


def result(formula, operands):
    code = re.sub(
        r"\{([^}]*)\}|([0-9]+(?:\.[0-9]+)?)",
        lambda found: 'Number("%s")' % (operands[found[1]] if found[1] else found[2]),
        formula.strip(),
    )
    try:
        return text(eval(code, {"Number": Number}).value)
    except ZeroDivisionError:
        return "zero"
    except Large:
        return "large"


print(json.dumps([result(case["formula"], case["operands"]) for case in json.load(sys.stdin)]))
