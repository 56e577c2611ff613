"""Draw a picture of packs on a table, as a phone would take it.

Everything follows from the seed. What lies in the heap is known, so a reader can be compared with it.
"""

from dataclasses import dataclass, field, replace
from math import cos, hypot, radians, sin
from random import Random

import zxingcpp
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont
from zxingcpp import BarcodeFormat

# 12 megapixels, as most phones take them.
WIDTH, HEIGHT = 4000, 3000
# Labels are drawn with as many times the pixels, so that turning them blurs no edge.
FINE = 2
GS = "\x1d"
# Space around packs, in millimetres.
GAP = 3.0
# What lies on top is noted for each square of as many pixels.
COARSE = 4
# A DataMatrix corrects some damage: if less of it is visible, it is hidden.
MIN_MATRIX_SHARE = 0.7
# The space around a symbol that must be seen too, as a share of its size.
SPACE = 0.04
BLACK, GREY = (0, 0, 0, 255), (70, 70, 70, 255)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawn symbol: its text as a scanner sends it, and where it is.

    ``module`` is the width of its narrowest part in pixels; ``pack`` the number of its pack. ``visible`` is false if
    something covers a part of it or of the space around it, and ``hidden`` true if what is left cannot be read.
    """

    text: str
    x: float
    y: float
    module: float
    turn: float
    linear: bool
    visible: bool = True
    hidden: bool = False
    pack: int = 0
    corners: tuple[Point, ...] = ()


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
    # What the table is: plain, cloth, grid or print.
    ground: str = "plain"
    # The largest angle from level, in degrees.
    turn: float = 8.0
    # The radius of the blur, and the deviation of the noise of the sensor.
    blur: float = 0.8
    noise: float = 6.0
    shadow: float = 0.35
    # The number of symbols that a strip of paper covers, of packs that lie anywhere, also on others, and of highlights.
    hidden: int = 0
    overlapping: int = 0
    glossy: int = 0
    # The symbols of packs, in rotation: matrix, rectangle, gs1_128, ean, or two: double (an EAN beside a DataMatrix)
    # and apart (a GTIN and a lot).
    kinds: tuple[str, ...] = ("matrix", "gs1_128", "ean")
    # How many of the first packs are double.
    double: int = 0
    # How many of the last packs are equal to the first ones.
    equal: int = 0
    # The kinds and texts of the first packs, instead of random ones: GS1 elements in brackets, or digits.
    texts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """A symbol on its label, in pixels of the picture.

    Its centre is from the label's; its size is without the space around it.
    """

    text: str
    x: float
    y: float
    wide: float
    tall: float
    module: float
    linear: bool


@dataclass(slots=True)
class _Label:
    image: Image.Image
    symbols: list[_Place] = field(default_factory=list)


def a_gtin(draws: Random) -> str:
    """Return a GTIN of 13 digits with its check digit."""
    digits = "750" + "".join(str(draws.randrange(10)) for _ in range(9))
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return digits + str(-total % 10)


def draw_heap(seed: int, setting: Setting = Setting()) -> Drawn:
    """Draw packs on a table; only packs that are to overlap cover others."""
    draws = Random(seed)
    scale = WIDTH / (setting.table * 10)
    scene = _table(draws, setting.ground, scale)
    # The number of the pack that is seen in each place; 0 is the table.
    on_top = Image.new("L", (WIDTH // COARSE, HEIGHT // COARSE), 0)
    labels = [_draw_label(draws, setting, place, scale) for place in range(setting.packs - setting.equal)]
    labels += labels[: setting.equal]
    placed: list[tuple[float, float, float]] = []
    symbols: list[Symbol] = []
    for number, label in enumerate(labels, 1):
        angle = draws.uniform(-setting.turn, setting.turn)
        turned = label.image.rotate(-angle, Image.Resampling.BICUBIC, expand=True)
        small = turned.resize((turned.width // FINE, turned.height // FINE), Image.Resampling.BOX)
        reach = hypot(*small.size) / 2
        is_loose = number > len(labels) - setting.overlapping
        where = _free_place(draws, [] if is_loose else placed, reach + GAP * scale)
        if where is None:
            continue
        placed.append((*where, reach))
        corner = (round(where[0] - small.width / 2), round(where[1] - small.height / 2))
        scene.paste(small, corner, small)
        _note(on_top, small, corner, number)
        symbols += [_symbol(one, where, angle, number) for one in label.symbols]
    _cover(draws, scene, on_top, symbols, setting.hidden, scale)
    _shine(draws, scene, symbols, setting.glossy, scale)
    seen = [_with_visibility(one, on_top) for one in symbols]
    return Drawn(_photograph(draws, scene.convert("L"), setting), seen)


def _table(draws: Random, ground: str, scale: float) -> Image.Image:
    grey = draws.randrange(120, 200)
    table = Image.new("RGB", (WIDTH, HEIGHT), (grey, grey, grey))
    pen = ImageDraw.Draw(table)
    dark = (grey - 70, grey - 70, grey - 70)
    if ground == "cloth":
        # Gauze: threads in both directions.
        step = round(draws.uniform(1.0, 1.6) * scale)
        for at in range(0, WIDTH, step):
            pen.line((at, 0, at, HEIGHT), fill=dark, width=step // 3)
            pen.line((0, at, WIDTH, at), fill=dark, width=step // 3)
    elif ground == "grid":
        for at in range(0, WIDTH, round(10 * scale)):
            pen.line((at, 0, at, HEIGHT), fill=dark, width=4)
            pen.line((0, at, WIDTH, at), fill=dark, width=4)
    elif ground == "print":
        font = ImageFont.load_default(3 * scale)
        for y in range(0, HEIGHT, round(5 * scale)):
            words = " ".join("".join(draws.choices("abcdeilmnorstu", k=draws.randint(2, 9))) for _ in range(40))
            pen.text((0, y), words, fill=(40, 40, 40), font=font)
    return table


def _draw_label(draws: Random, setting: Setting, place: int, scale: float) -> _Label:
    """Draw one pack: its paper, some print, and its symbol or two."""
    width, height = draws.uniform(52, 64), draws.uniform(30, 40)
    fine = scale * FINE
    paper = draws.randrange(225, 256)
    label = _Label(Image.new("RGBA", (round(width * fine), round(height * fine)), (paper, paper, paper, 255)))
    pen = ImageDraw.Draw(label.image)
    for line in range(3):
        font = ImageFont.load_default(draws.uniform(1.6, 2.4) * fine)
        words = "".join(draws.choices("abcdefghilmnoprstuv    0123456789", k=draws.randint(8, 30)))
        pen.text((2 * fine, (1 + line * 2.6) * fine), words, fill=GREY, font=font)
    kind = setting.kinds[place % len(setting.kinds)] if place >= setting.double else "double"
    gtin = a_gtin(draws)
    lot = f"L{draws.randrange(10**6):06}"
    expiry = f"2{draws.randrange(7, 10)}0{draws.randrange(1, 10)}{draws.randrange(10, 29)}"
    serial = f"(21)S{draws.randrange(10**5)}" if draws.random() < 0.3 else ""
    text = f"(01)0{gtin}(17){expiry}(10){lot}{serial}"
    if place < len(setting.texts):
        kind, text = setting.texts[place]
    if kind in {"matrix", "rectangle"}:
        module, x = draws.uniform(0.33, 0.5), draws.uniform(-12, 12)
        _add_symbol(label, BarcodeFormat.DataMatrix, text, module, (x, 4), fine, is_square=kind == "matrix")
    elif kind == "double":
        _add_symbol(label, BarcodeFormat.DataMatrix, text, draws.uniform(0.33, 0.5), (-width / 4, 4), fine)
        _add_symbol(label, BarcodeFormat.EAN13, gtin, 0.26, (width / 4 - 1, 4), fine)
    elif kind == "gs1_128":
        own = text if place < len(setting.texts) else f"(01)0{gtin}(10){lot[1:5]}"
        _add_symbol(label, BarcodeFormat.Code128, own, 0.25, (0, 4), fine)
    elif kind == "apart":
        _add_symbol(label, BarcodeFormat.Code128, f"(01)0{gtin}", 0.25, (0, -3), fine)
        _add_symbol(label, BarcodeFormat.Code128, f"(17){expiry}(10){lot}", 0.25, (0, height / 2 - 7), fine)
    else:
        digits = text if place < len(setting.texts) else gtin
        _add_symbol(label, BarcodeFormat.EAN13, digits, draws.uniform(0.30, 0.36), (0, 4), fine)
    return label


def _add_symbol(
    label: _Label, kind: BarcodeFormat, text: str, module: float, at: Point, fine: float, *, is_square: bool = True
) -> None:
    """Draw a symbol on a label.

    ``module`` and ``at`` are millimetres, from the label's centre.
    """
    is_gs1 = text.startswith("(")
    linear = kind != BarcodeFormat.DataMatrix
    how: dict[str, int] = {"gs1": True} if is_gs1 else {}
    if not linear and is_square:
        how["forceSquare"] = True
    elif not linear:
        how["version"] = RECTANGLE
    code = zxingcpp.create_barcode(text, kind, **how)
    picture = picture_of(code, add_quiet_zones=True)
    width, height = picture.size
    bare = picture_of(code, add_quiet_zones=False).width / width
    tall = round((8 if is_gs1 else 10) * fine) if linear else round(height * module * fine)
    picture = picture.resize((round(width * module * fine), tall), Image.Resampling.NEAREST)
    middle = (label.image.width / 2 + at[0] * fine, label.image.height / 2 + at[1] * fine)
    label.image.paste(picture, (round(middle[0] - picture.width / 2), round(middle[1] - picture.height / 2)))
    if linear:
        font = ImageFont.load_default(2.2 * fine)
        below = (middle[0], middle[1] + picture.height / 2)
        ImageDraw.Draw(label.image).text(below, text, fill=BLACK, font=font, anchor="mt")
    sent = code.symbology_identifier + (_plain(text) if is_gs1 else text)
    x, y = (value * fine / FINE for value in at)
    size = (picture.width / FINE * bare, picture.height / FINE * (1 if linear else bare))
    label.symbols.append(_Place(sent, x, y, *size, module * fine / FINE, linear))


def picture_of(code: zxingcpp.Barcode, *, add_quiet_zones: bool, scale: int = 1) -> Image.Image:
    """Return the picture of a symbol."""
    drawn = code.to_image(scale=scale, add_hrt=False, add_quiet_zones=add_quiet_zones)
    pixels = memoryview(drawn)  # type: ignore[arg-type]
    height, width = pixels.shape or (0, 0)
    return Image.frombytes("L", (width, height), pixels.tobytes())


# A DataMatrix of 12 by 36 modules, as on ampoules and tubes.
RECTANGLE = 29


def _plain(text: str) -> str:
    """Return the text of GS1 elements as a scanner sends it."""
    parts = [part.split(")") for part in text.split("(") if part]
    sent = ""
    for place, (name, value) in enumerate(parts):
        is_last = place == len(parts) - 1
        sent += name + value + ("" if is_last or name in {"01", "17"} else GS)
    return sent


def _free_place(draws: Random, placed: list[tuple[float, float, float]], reach: float) -> Point | None:
    for _ in range(400):
        x, y = draws.uniform(reach, WIDTH - reach), draws.uniform(reach, HEIGHT - reach)
        if all(hypot(x - other[0], y - other[1]) > (reach + other[2]) * 0.86 for other in placed):
            return x, y
    return None


def _symbol(one: _Place, at: Point, angle: float, pack: int) -> Symbol:
    sine, cosine = sin(radians(angle)), cos(radians(angle))

    def turned(dx: float, dy: float) -> Point:
        return at[0] + dx * cosine - dy * sine, at[1] + dx * sine + dy * cosine

    halves = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    corners = tuple(turned(one.x + x * one.wide / 2, one.y + y * one.tall / 2) for x, y in halves)
    x, y = turned(one.x, one.y)
    return Symbol(one.text, x, y, one.module, angle, one.linear, pack=pack, corners=corners)


def _note(on_top: Image.Image, small: Image.Image, corner: tuple[int, int], number: int) -> None:
    mask = small.getchannel("A").resize((small.width // COARSE, small.height // COARSE), Image.Resampling.NEAREST)
    on_top.paste(number, (corner[0] // COARSE, corner[1] // COARSE), mask.point(lambda value: value and 255))


def _with_visibility(one: Symbol, on_top: Image.Image) -> Symbol:
    # A linear code can be read along a single line.
    rows = _rows_of(one, on_top, 0)
    shares = [sum(row) / len(row) for row in rows]
    is_hidden = all(share < 0.97 for share in shares) if one.linear else sum(shares) / len(shares) < MIN_MATRIX_SHARE
    return replace(one, visible=all(map(all, _rows_of(one, on_top, SPACE))), hidden=is_hidden)


def _rows_of(one: Symbol, on_top: Image.Image, space: float) -> list[list[bool]]:
    """Return where the symbol's own pack is seen, line by line.

    The space around it counts too.
    """
    (left, top), (right, up), _, (low, down) = one.corners
    steps = [-space + (1 + 2 * space) * step / 40 for step in range(41)]

    def is_seen(u: float, v: float) -> bool:
        x, y = left + u * (right - left) + v * (low - left), top + u * (up - top) + v * (down - top)
        return on_top.getpixel((int(min(x, WIDTH - 1)) // COARSE, int(min(y, HEIGHT - 1)) // COARSE)) == one.pack

    return [[is_seen(u, v) for u in steps] for v in steps]


def _cover(
    draws: Random, scene: Image.Image, on_top: Image.Image, symbols: list[Symbol], count: int, scale: float
) -> None:
    """Lay a strip of another pack over some symbols."""
    for one in draws.sample(symbols, min(count, len(symbols))):
        wide, tall = 22 * scale, 9 * scale
        box = (one.x - wide / 8, one.y - tall, one.x + wide, one.y + tall)
        ImageDraw.Draw(scene).rectangle(box, fill=(215, 215, 215))
        ImageDraw.Draw(on_top).rectangle([round(edge / COARSE) for edge in box], fill=255)


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


def a_heap(seed: int) -> Setting:
    """Return a setting by chance, as heaps of packs and their pictures are."""
    draws = Random(f"setting {seed}")
    packs = draws.randint(3, 16)
    return Setting(
        packs=packs,
        table=draws.uniform(20, 60),
        ground=draws.choice(("plain", "cloth", "grid", "print")),
        turn=draws.choice((8, 30, 180, 180)),
        blur=draws.uniform(0.3, 1.5),
        noise=draws.uniform(2, 10),
        shadow=draws.uniform(0, 0.6),
        hidden=draws.choice((0, 0, 1, 3)),
        overlapping=draws.choice((0, 0, 1, 3, 5)) if packs > 6 else 0,
        glossy=draws.choice((0, 0, 1, 2)),
        kinds=tuple(draws.sample(("matrix", "rectangle", "gs1_128", "ean", "double", "apart"), draws.randint(2, 6))),
        equal=draws.choice((0, 0, 1, 2)),
    )
