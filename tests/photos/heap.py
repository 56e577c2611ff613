"""Draw a picture of packs on a table, as a phone would take it.

Everything follows from the seed. What lies in the heap is known, so a reader can be compared with it.
"""

from dataclasses import dataclass, field
from math import cos, hypot, radians, sin
from random import Random

import zxingcpp
from PIL import Image, ImageChops, ImageDraw, ImageFilter
from zxingcpp import BarcodeFormat

# 12 megapixels, as most phones take them.
WIDTH, HEIGHT = 4000, 3000
# Labels are drawn with as many times the pixels, so that turning them blurs no edge.
FINE = 2
GS = "\x1d"
# Space around packs, in millimetres.
GAP = 3.0


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawn symbol: its text as a scanner sends it, and where it is.

    ``module`` is the width of its narrowest part in pixels. ``visible`` is false if something covers a part of it.
    """

    text: str
    x: float
    y: float
    module: float
    turn: float
    linear: bool
    visible: bool = True


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture and what is in it."""

    image: Image.Image
    symbols: list[Symbol]


@dataclass(frozen=True, slots=True)
class Setting:
    """How a heap is drawn and seen."""

    packs: int = 12
    # The width of the table that the picture shows, in centimetres.
    table: float = 40.0
    # The largest angle from level, in degrees.
    turn: float = 8.0
    # The radius of the blur, and the deviation of the noise of the sensor.
    blur: float = 0.8
    noise: float = 6.0
    shadow: float = 0.35
    # The number of packs that another one covers in part, and of packs with a highlight across.
    hidden: int = 0
    glossy: int = 0
    kinds: tuple[str, ...] = ("matrix", "gs1_128", "ean")
    # How many packs have two symbols: an EAN beside a DataMatrix.
    double: int = 0


@dataclass(slots=True)
class _Label:
    image: Image.Image
    # Symbols by their place on the label, in pixels of the picture, from the label's centre.
    symbols: list[tuple[str, float, float, float, bool]] = field(default_factory=list)


def a_gtin(draws: Random) -> str:
    """Return a GTIN of 13 digits with its check digit."""
    digits = "750" + "".join(str(draws.randrange(10)) for _ in range(9))
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return digits + str(-total % 10)


def draw_heap(seed: int, setting: Setting = Setting()) -> Drawn:  # noqa: B008
    """Draw packs on a table without overlap, except for those that hide another."""
    draws = Random(seed)
    scale = WIDTH / (setting.table * 10)
    scene = _table(draws)
    labels = [_draw_label(draws, setting, place, scale) for place in range(setting.packs)]
    placed: list[tuple[float, float, float]] = []
    symbols: list[Symbol] = []
    for label in labels:
        angle = draws.uniform(-setting.turn, setting.turn)
        turned = label.image.rotate(-angle, Image.Resampling.BICUBIC, expand=True)
        small = turned.resize((turned.width // FINE, turned.height // FINE), Image.Resampling.BOX)
        reach = hypot(*small.size) / 2
        where = _free_place(draws, placed, reach + GAP * scale)
        if where is None:
            continue
        x, y = where
        placed.append((x, y, reach))
        scene.paste(small, (round(x - small.width / 2), round(y - small.height / 2)), small)
        sine, cosine = sin(radians(angle)), cos(radians(angle))
        symbols += [
            Symbol(text, x + dx * cosine - dy * sine, y + dx * sine + dy * cosine, module, angle, linear)
            for text, dx, dy, module, linear in label.symbols
        ]
    symbols = _cover(draws, scene, symbols, setting.hidden, scale)
    _shine(draws, scene, symbols, setting.glossy, scale)
    return Drawn(_photograph(draws, scene.convert("L"), setting), symbols)


def _table(draws: Random) -> Image.Image:
    grey = draws.randrange(120, 200)
    return Image.new("RGB", (WIDTH, HEIGHT), (grey, grey, grey))


def _draw_label(draws: Random, setting: Setting, place: int, scale: float) -> _Label:
    """Draw one pack: its paper, some print, and its symbol or two."""
    width, height = draws.uniform(52, 64), draws.uniform(30, 40)
    fine = scale * FINE
    paper = draws.randrange(225, 256)
    label = _Label(Image.new("RGBA", (round(width * fine), round(height * fine)), (paper, paper, paper, 255)))
    pen = ImageDraw.Draw(label.image)
    for line in range(3):
        y = (2 + line * 2.2) * fine
        pen.rectangle((2 * fine, y, draws.uniform(12, width - 4) * fine, y + fine), fill=(70, 70, 70, 255))
    gtin = a_gtin(draws)
    lot = f"L{draws.randrange(10**6):06}"
    expiry = f"2{draws.randrange(7, 10)}0{draws.randrange(1, 10)}{draws.randrange(10, 29)}"
    kind = setting.kinds[place % len(setting.kinds)]
    if kind == "ean" and place >= setting.double:
        _add_symbol(label, BarcodeFormat.EAN13, gtin, draws.uniform(0.30, 0.36), (0, 4), fine)
    elif kind == "gs1_128":
        _add_symbol(label, BarcodeFormat.Code128, f"(01)0{gtin}(10){lot[1:5]}", 0.25, (0, 4), fine)
    else:
        serial = f"(21)S{draws.randrange(10**5)}" if draws.random() < 0.3 else ""
        text = f"(01)0{gtin}(17){expiry}(10){lot}{serial}"
        is_double = place < setting.double
        where = (-width / 4, 4) if is_double else (draws.uniform(-12, 12), 4)
        _add_symbol(label, BarcodeFormat.DataMatrix, text, draws.uniform(0.33, 0.5), where, fine)
        if is_double:
            _add_symbol(label, BarcodeFormat.EAN13, gtin, 0.26, (width / 4 - 1, 4), fine)
    return label


def _add_symbol(
    label: _Label, kind: BarcodeFormat, text: str, module: float, at: tuple[float, float], fine: float
) -> None:
    """Draw a symbol on a label. ``module`` and ``at`` are millimetres, from the label's centre."""
    is_gs1 = text.startswith("(")
    code = zxingcpp.create_barcode(text, kind, **({"gs1": True} if is_gs1 else {}))
    drawn = memoryview(code.to_image(scale=1, add_hrt=False, add_quiet_zones=True))
    height, width = drawn.shape
    picture = Image.frombytes("L", (width, height), drawn.tobytes())
    linear = kind != BarcodeFormat.DataMatrix
    tall = round(10 * fine) if linear else round(height * module * fine)
    picture = picture.resize((round(width * module * fine), tall), Image.Resampling.NEAREST)
    middle = (label.image.width / 2 + at[0] * fine, label.image.height / 2 + at[1] * fine)
    label.image.paste(picture, (round(middle[0] - picture.width / 2), round(middle[1] - picture.height / 2)))
    sent = code.symbology_identifier + (_plain(text) if is_gs1 else text)
    label.symbols.append((sent, at[0] * fine / FINE, at[1] * fine / FINE, module * fine / FINE, linear))


def _plain(text: str) -> str:
    """Return the text of GS1 elements as a scanner sends it."""
    parts = [part.split(")") for part in text.split("(") if part]
    sent = ""
    for place, (name, value) in enumerate(parts):
        is_last = place == len(parts) - 1
        sent += name + value + ("" if is_last or name in {"01", "17"} else GS)
    return sent


def _free_place(
    draws: Random, placed: list[tuple[float, float, float]], reach: float
) -> tuple[float, float] | None:
    for _ in range(400):
        x, y = draws.uniform(reach, WIDTH - reach), draws.uniform(reach, HEIGHT - reach)
        if all(hypot(x - other[0], y - other[1]) > (reach + other[2]) * 0.86 for other in placed):
            return x, y
    return None


def _cover(draws: Random, scene: Image.Image, symbols: list[Symbol], count: int, scale: float) -> list[Symbol]:
    """Lay a strip of another pack over some symbols."""
    covered = set(draws.sample(range(len(symbols)), min(count, len(symbols))))
    pen = ImageDraw.Draw(scene)
    for place in covered:
        one = symbols[place]
        wide, tall = 22 * scale, 9 * scale
        pen.rectangle((one.x - wide / 8, one.y - tall, one.x + wide, one.y + tall), fill=(215, 215, 215))
    return [
        Symbol(one.text, one.x, one.y, one.module, one.turn, one.linear, visible=place not in covered)
        for place, one in enumerate(symbols)
    ]


def _shine(draws: Random, scene: Image.Image, symbols: list[Symbol], count: int, scale: float) -> None:
    """Draw highlights, as foil has them; they hide nothing completely."""
    half = round(20 * scale)
    for one in draws.sample(symbols, min(count, len(symbols))):
        light = Image.new("L", (2 * half, 2 * half), 0)
        shift = draws.uniform(-6, 6) * scale
        ImageDraw.Draw(light).line(
            (half + shift - 8 * scale, half - 14 * scale, half + shift + 8 * scale, half + 14 * scale),
            fill=90,
            width=round(3 * scale),
        )
        mask = light.filter(ImageFilter.BoxBlur(scale))
        scene.paste((255, 255, 255), (round(one.x) - half, round(one.y) - half), mask)


def _photograph(draws: Random, scene: Image.Image, setting: Setting) -> Image.Image:
    """Shade, blur and roughen the picture."""
    dark = round(255 * (1 - setting.shadow * draws.random()))
    ramp = Image.linear_gradient("L").rotate(draws.choice((0, 90, 180, 270))).resize(scene.size)
    shade = ramp.point(lambda value: dark + (255 - dark) * value // 255)
    picture = ImageChops.multiply(scene, shade).filter(ImageFilter.GaussianBlur(setting.blur))
    # `effect_noise` draws by chance of its own, so the noise comes from the seed instead.
    size = (WIDTH // 4, HEIGHT // 4)
    grains = Image.frombytes("L", size, draws.randbytes(size[0] * size[1]))
    spread = setting.noise / 74
    noise = grains.resize(scene.size, Image.Resampling.NEAREST).point(lambda value: round(128 + (value - 128) * spread))
    return ImageChops.add(picture, noise, scale=1, offset=-128)
