"""Covers: placeholders of arguments and options in every help in Chinese: none is in English.

Compared against: the words that stay in Latin letters. Run: pytest tests/cli.
"""

import re

import click
import pytest

from quchong.cli import kinds
from quchong.cli.main import cli
from quchong.cli.speech import spoken
from quchong.languages import speaking

STAYS = {"ID", "URL", "N", "P", "R", "CLASS"}
"""Placeholders that Chinese readers know as they are."""


def commands(command, name="quchong"):
    yield name, command
    if isinstance(command, click.Group):
        ctx = click.Context(command, info_name=name)
        for sub in command.list_commands(ctx):
            yield from commands(command.get_command(ctx, sub), f"{name} {sub}")


def placeholders(command):
    ctx = click.Context(command)
    for param in command.params:
        if isinstance(param, click.Argument) or (param.metavar and not param.is_flag):
            yield param.make_metavar(ctx)


@pytest.fixture(params=["zh", "en"])
def language(request):
    with speaking(request.param):
        spoken(cli)
        yield request.param
    with speaking("en"):
        spoken(cli)


def test_every_placeholder_is_in_the_language_of_the_help(language):
    """In Chinese none is English; in English, spoken again, none is Chinese."""
    for name, command in commands(cli):
        for word in placeholders(spoken(command, name.split()[-2] if " " in name else "")):
            latin = set(re.findall(r"[A-Z]{1,}", word)) - STAYS
            han = re.search(r"[\u4e00-\u9fff]", word)
            assert not (latin if language == "zh" else han), (name, word)


def test_usage_and_help_name_arguments_alike(language):
    for name, command in commands(cli):
        command = spoken(command, name.split()[-2] if " " in name else "")
        usage = command.get_usage(click.Context(command, info_name=name))
        for param in command.params:
            if isinstance(param, click.Argument):
                assert param.make_metavar(click.Context(command)) in usage, name


def test_no_help_text_in_chinese_has_an_english_placeholder():
    """A text calls an argument or a value what the usage line calls it."""
    english = {word.template for word in kinds._WORDS if word.template.isalpha()} - STAYS | {"VALUE"}
    with speaking("zh"):
        spoken(cli)
        for name, command in commands(cli):
            command = spoken(command, name.split()[-2] if " " in name else "")
            texts = [command.help, command.short_help, *(getattr(param, "help", None) for param in command.params)]
            for text in filter(None, texts):
                words = set(re.findall(r"[A-Z]+", re.sub(r"\S*://\S*", "", text)))
                assert not words & english, (name, text)
    with speaking("en"):
        spoken(cli)
