"""Toy sentence pairs, and models so small that tests can build them."""

from __future__ import annotations

import json
import re
import string
from dataclasses import replace
from pathlib import Path
from typing import Any

import sentencepiece
import torch
from transformers import BertConfig, BertModel, BertTokenizer, MarianConfig, MarianMTModel

from subfit.evaluation.corpus import Pair
from subfit.model.tokenizer import AnyTokenizer, Tokenizer
from subfit.model.transformer import Transformer
from subfit.training.recipe import Recipe
from subfit.training.sections import (
    Architecture,
    Data,
    Length,
    Optimizer,
    RunSettings,
    Schedule,
    Vocabulary,
)
from subfit.training.start import config_for, train_tokenizer

TEXTS = """\
How are you?|Wie geht es dir?
I am fine, thank you.|Mir geht es gut, danke.
Where is the old lighthouse?|Wo ist der alte Leuchtturm?
The lighthouse stands on the hill.|Der Leuchtturm steht auf dem Hügel.
It is cold tonight.|Heute Nacht ist es kalt.
Close the door, please.|Mach bitte die Tür zu.
The door is open.|Die Tür ist offen.
Who is there?|Wer ist da?
My brother lives in the village.|Mein Bruder wohnt im Dorf.
The ship comes back tomorrow.|Das Schiff kommt morgen zurück.
We have no time.|Wir haben keine Zeit.
I do not know.|Ich weiß es nicht.
She reads a book.|Sie liest ein Buch.
He writes a long letter to his mother.|Er schreibt seiner Mutter einen langen Brief.
The children play in the garden.|Die Kinder spielen im Garten.
Can you help me?|Kannst du mir helfen?
Yes, of course.|Ja, natürlich.
No, never!|Nein, niemals!
Bread and butter cost three euros.|Brot und Butter kosten drei Euro.
The storm was stronger than the ship.|Der Sturm war stärker als das Schiff.
Wait for me at the bridge.|Warte an der Brücke auf mich.
I hear music.|Ich höre Musik.
The light is going out.|Das Licht geht aus.
Nobody sees the small boat.|Niemand sieht das kleine Boot.
Good night, Anna.|Gute Nacht, Anna.
Good morning, Peter.|Guten Morgen, Peter.
What time is it?|Wie spät ist es?
It is half past six.|Es ist halb sieben.
The sea is quiet now.|Das Meer ist jetzt ruhig.
They opened the window yesterday.|Sie haben gestern das Fenster geöffnet.
"""
PAIRS = tuple(Pair("toy", *line.split("|")) for line in TEXTS.splitlines())

RECIPE = Recipe(
    name="tiny",
    source_language="en",
    target_language="de",
    data=Data(train=("toy.tsv",), dev="toy.tsv"),
    vocabulary=Vocabulary(pieces=380, character_coverage=1.0),
    length=Length(
        classes={"short": 0.95, "normal": 1.15, "long": None}, encodings=("abs",), free=0.3
    ),
    model=Architecture(
        encoder_layers=2,
        decoder_layers=1,
        width=32,
        feed_forward=64,
        heads=2,
        dropout=0.0,
        max_tokens=64,
    ),
    optimizer=Optimizer(learning_rate=0.01, label_smoothing=0.0),
    schedule=Schedule(steps=6, warmup=2),
    run=RunSettings(batch_tokens=120, log_steps=2, validate_steps=3, score_steps=0),
)


def write_pairs(path: Path, pairs: tuple[Pair, ...] = PAIRS) -> Path:
    """Write pairs as a corpus file."""
    lines = [f"{pair.corpus}\t{pair.source}\t{pair.target}\n" for pair in pairs]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def tiny_tokenizer(folder: Path) -> Tokenizer:
    """Train a tokenizer of 380 pieces (256 of them bytes) on the toy pairs."""
    return train_tokenizer(RECIPE, PAIRS, folder / "tokenizer.model")


def tiny_model(
    tokenizer: AnyTokenizer,
    *,
    seed: int = 1,
    end_bias: float = 4.0,
    length: Length | None = None,
    **config_changes: Any,
) -> Transformer:
    """Return a random model in evaluation mode.

    Args:
        tokenizer: Its vocabulary.
        seed: Determines the weights.
        end_bias: Added to the end token's logit, since random models seldom end.
        length: Length conditioning; the recipe's if None.
        config_changes: Other values for the configuration.
    """
    recipe = replace(RECIPE, length=length or RECIPE.length)
    config = config_for(recipe, tokenizer)
    for name, value in config_changes.items():
        setattr(config, name, value)
    torch.manual_seed(seed)
    model = Transformer(config).start()
    model.set_piece_table(tokenizer.target.piece_characters, tokenizer.target.piece_leads)
    liven(model, end_bias)
    return model.eval()


@torch.no_grad()
def liven(model: MarianMTModel | Transformer, end_bias: float) -> None:
    """Keep a random model from repeating its input for ever, and let it end."""
    for name, weight in model.named_parameters():
        if ".layers." in name and weight.ndim == 2:
            weight.mul_(3.0)
        elif ".layers." in name:
            weight.add_(0.3 * torch.randn_like(weight))
    model.final_logits_bias[0, model.config.eos_token_id] += end_bias


def save_tiny_marian(folder: Path) -> Path:
    """Save a random plain Marian model as Hugging Face has it: two SentencePiece files, a list."""
    folder.mkdir(parents=True, exist_ok=True)
    pieces: dict[str, None] = {"</s>": None, "<unk>": None}
    for side, texts in (
        ("source", [p.source for p in PAIRS]),
        ("target", [p.target for p in PAIRS]),
    ):
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts),
            model_prefix=str(folder / side),
            vocab_size=90,
            bos_id=-1,
            eos_id=0,
            unk_id=1,
            minloglevel=2,
        )
        (folder / f"{side}.model").rename(folder / f"{side}.spm")
        rows = (folder / f"{side}.vocab").read_text(encoding="utf-8").splitlines()
        pieces |= {row.split("\t")[0]: None for row in rows}
        (folder / f"{side}.vocab").unlink()
    pieces["<pad>"] = None
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    settings = {"source_lang": "en", "target_lang": "de", "tokenizer_class": "MarianTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    tiny_marian(len(vocabulary)).save_pretrained(folder)
    return folder


def tiny_marian(vocab_size: int, *, seed: int = 2, end_bias: float = 4.0) -> MarianMTModel:
    """Return a random plain Marian model whose last token is padding and whose first is the end."""
    torch.manual_seed(seed)
    config = MarianConfig(
        vocab_size=vocab_size,
        d_model=32,
        encoder_layers=2,
        decoder_layers=1,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        max_position_embeddings=64,
        dropout=0.0,
        activation_function="swish",
        scale_embedding=True,
        init_std=0.18,
        pad_token_id=vocab_size - 1,
        decoder_start_token_id=vocab_size - 1,
        eos_token_id=0,
        forced_eos_token_id=None,
    )
    model = MarianMTModel(config)
    liven(model, end_bias)
    return model.eval()


def save_tiny_bert(folder: Path) -> Path:
    """Save a random BERT and a WordPiece tokenizer of the toy sources' words and letters."""
    folder.mkdir(parents=True, exist_ok=True)
    words = sorted({word for pair in PAIRS for word in re.findall(r"\w+|[^\w\s]", pair.source)})
    letters = [each for letter in string.ascii_letters for each in (letter, f"##{letter}")]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, *letters]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = BertTokenizer(vocab=vocabulary, do_lower_case=False, model_max_length=30)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(4)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=32,
        initializer_range=0.2,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder
