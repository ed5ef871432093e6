"""Converts a quantity: reads {"value": 12000, "unit": "BTU/h", "into": "kW"}, prints a sentence."""

import json
import sys

# Each unit as what it measures, and its size in kWh, kW or kelvin with the zero of its scale.
UNITS = {
    "kWh": ("energy", 1.0, 0.0),
    "MJ": ("energy", 1 / 3.6, 0.0),
    "BTU": ("energy", 1055.05585262 / 3.6e6, 0.0),
    "kW": ("power", 1.0, 0.0),
    "BTU/h": ("power", 1055.05585262 / 3.6e6, 0.0),
    "hp": ("power", 0.74569987158227022, 0.0),
    "C": ("temperature", 1.0, 273.15),
    "F": ("temperature", 5 / 9, 459.67 * 5 / 9),
}

call = json.load(sys.stdin)
value, unit, into = call["value"], call["unit"], call["into"]
(measure, size, zero), (other, other_size, other_zero) = UNITS[unit], UNITS[into]
if measure != other:
    sys.exit(f"{unit} is a unit of {measure}, {into} one of {other}")
converted = (value * size + zero - other_zero) / other_size
print(f"A {measure} of {value:g} {unit} is {converted:.6g} {into}.")
