"""Covers: which words of a command line are its arguments, for every way in which an option and its value are written."""

import click
import pytest

from quchong.cli.extra_words import argument_places, extra_word


@click.command(name="show")
@click.argument("run")
@click.argument("ids", nargs=-1)
@click.option("-o", "--output")
@click.option("--keep", "-k")
@click.option("-q", "--quiet", is_flag=True)
@click.option("--plot/--no-plot")
def several(**_):
    """A command with one argument and more."""


@click.command(name="show")
@click.argument("run")
@click.option("-o", "--output")
@click.option("-q", "--quiet", is_flag=True)
def one(**_):
    """A command with one argument."""


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("show run a b", ["run", "a", "b"]),
        ("show -o out run a", ["run", "a"]),
        ("show --output out run", ["run"]),
        ("show --output=out run", ["run"]),
        ("show -k longest run -o out a", ["run", "a"]),
        ("show -q run --no-plot a", ["run", "a"]),
        ("show run - a", ["run", "-", "a"]),
        ("show -o - run", ["run"]),
        ("show run -- -a --b", ["run", "-a", "--b"]),
        ("show --unknown run", ["run"]),
        ("show run show", ["run", "show"]),
        ("index show run", ["run"]),
        ("show", []),
    ],
)
def test_the_words_that_are_no_option_and_no_value_are_the_arguments(line, arguments):
    argv = line.split()
    assert [argv[at] for at in argument_places(several, argv)] == arguments


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("show run a", "a"),
        ("show -o out run a b", "a"),
        ("show run -o a", None),
        ("show run", None),
        ("show -q run -", "-"),
    ],
)
def test_the_first_word_too_many(line, extra):
    assert extra_word(one, line.split()) == extra
    assert extra_word(several, line.split()) is None
