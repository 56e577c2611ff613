import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Field, type FieldKind, KeyboardScanner, type Verdict } from './keyboard';

const KNOWN = ['650', '18', '7', '14266', 'MC-0005', '9520000001858', '9520000003708'];
const GTIN = '9520000001858';
const GS1 = '0109520000001858102A\u001d21S9';
const HIBC = '+A123BJC5D6E71G';

const held = { code: '', repeat: false, altKey: false, ctrlKey: false, metaKey: false };

/** Fake a page with one field, and the keys that arrive in it. */
class Page {
  readonly scanner: KeyboardScanner;
  value: string;
  at = 0;
  readonly kind: FieldKind;

  constructor(
    kind: FieldKind,
    { value = '', isKnown = (code: string) => KNOWN.includes(code) as boolean | undefined } = {},
  ) {
    this.kind = kind;
    this.value = value;
    this.scanner = new KeyboardScanner(isKnown);
  }

  get field(): Field {
    return { kind: this.kind, id: this.kind, value: this.kind === 'none' ? '' : this.value };
  }

  /** Type a text with this many milliseconds before each key. */
  type(text: string, every = 150, pauses: Record<number, number> = {}) {
    [...text].forEach((key, place) => {
      this.at += pauses[place] ?? every;
      const isSeparator = key === '\u001d';
      const stroke = isSeparator
        ? { ...held, key: ']', code: 'BracketRight', ctrlKey: true }
        : { ...held, key };
      this.scanner.press({ ...stroke, timeStamp: this.at }, this.field);
      if (this.kind !== 'none' && !isSeparator) this.value += key;
    });
    return this;
  }

  end(every = 150): Verdict {
    this.at += every;
    const verdict = this.scanner.end(this.field, this.at);
    if (verdict.is === 'scan') this.value = verdict.rest;
    return verdict;
  }
}

const PACES = [5, 20, 36, 60, 120];
const CODES = [GTIN, GS1, HIBC, 'MC-0005', '14266', '650', '18', '7'];

describe.each(['bar', 'none'] as const)('a code typed into %s', (kind) => {
  it.each(CODES.flatMap((code) => PACES.map((pace) => [code, pace] as const)))(
    '%s at %i ms a key is a scan',
    (code, pace) => {
      expect(new Page(kind).type(code, pace).end(pace)).toMatchObject({ is: 'scan', code, rest: '' });
    },
  );

  it.each([120, 400, 2000])('with a pause of %i ms after any character is one scan', (pause) => {
    for (const code of CODES)
      for (let place = 1; place < code.length; place++)
        expect(new Page(kind).type(code, 10, { [place]: pause }).end(10)).toMatchObject({ is: 'scan', code });
  });
});

describe.each(['number', 'text', 'search'] as const)(
  'a code that cannot be anything else, in a %s field,',
  (kind) => {
    it.each([GTIN, GS1, HIBC].flatMap((code) => PACES.map((pace) => [code, pace] as const)))(
      '%s at %i ms per key is a scan, and the field is restored',
      (code, pace) => {
        const page = new Page(kind, { value: '3' });
        expect(page.type(code, pace).end(pace)).toEqual({ is: 'scan', code, rest: '3' });
      },
    );
  },
);

describe('a number field', () => {
  it('keeps the zeros typed before a scan', () => {
    const page = new Page('number').type('2000').type(GTIN, 20, { 0: 1000 });
    expect(page.end(20)).toEqual({ is: 'scan', code: GTIN, rest: '2000' });
  });

  it.each(PACES)('at %i ms per key asks if its number is a product code', (pace) => {
    for (const code of ['650', '18', '7', '14266'])
      expect(new Page('number').type(code, pace).end(pace)).toEqual({ is: 'question', code, rest: '' });
  });

  it('keeps a number that is not a product code', () => {
    expect(new Page('number').type('12').end()).toEqual({ is: 'nothing' });
  });

  it('has a possible wristband looked up, and no quantity typed by hand', () => {
    const wristband = { is: 'unclear', code: '1042331', rest: '' };
    expect(new Page('number').type('1042331', 120).end(120)).toEqual(wristband);
    expect(new Page('number').type('4233', 20).end(20)).toEqual({ ...wristband, code: '4233' });
    expect(new Page('number').type('4233').end()).toEqual({ is: 'nothing' });
    expect(new Page('number').type('10.25').end()).toEqual({ is: 'nothing' });
  });

  it('asks about a code scanned after a number', () => {
    const page = new Page('number').type('2').type('650', 36, { 0: 500 });
    expect(page.end(36)).toEqual({ is: 'question', code: '650', rest: '2' });
  });

  it('takes a code that is not a number', () => {
    const page = new Page('number', { value: '2' });
    expect(page.type('MC-0005', 36).end(36)).toEqual({ is: 'scan', code: 'MC-0005', rest: '2' });
  });

  it('asks the server about a number if it has no catalogue', () => {
    const page = new Page('number', { isKnown: () => undefined });
    expect(page.type('650').end()).toEqual({ is: 'unclear', code: '650', rest: '' });
  });
});

describe('the record bar', () => {
  it.each([
    [`3×${GTIN}`, GTIN, 3],
    ['3x650', '650', 3],
    ['2,5*MC-0005', 'MC-0005', 2.5],
    ['14266*4', '14266', 4],
  ])('reads %s as code and quantity', (text, code, times) => {
    expect(new Page('bar').type(text).end()).toMatchObject({ is: 'scan', code, times });
  });

  it.each(['gasa', '3 gasa', 'gasa x3', 'jeringa 5', '3', '2.5'])('leaves %s to the search', (text) => {
    expect(new Page('bar').type(text).end()).toEqual({ is: 'nothing' });
  });

  it('asks the server about a code if it has no catalogue', () => {
    const isKnown = () => undefined;
    expect(new Page('bar', { isKnown }).type('4×MC-0005').end()).toMatchObject({
      is: 'unclear',
      code: 'MC-0005',
      times: 4,
    });
    expect(new Page('bar', { isKnown }).type('gasa').end()).toEqual({ is: 'nothing' });
    expect(new Page('bar', { isKnown }).type('3').end()).toEqual({ is: 'nothing' });
  });

  it.each([5, 20, 30])('takes a wristband at %d ms a key for a scan', (every) => {
    expect(new Page('bar').type('WB-2026-0013', every).end(every)).toEqual({
      is: 'scan',
      code: 'WB-2026-0013',
      rest: '',
    });
    expect(new Page('bar').type('gas').type('4233', every, { 0: 400 }).end(every)).toEqual({
      is: 'scan',
      code: '4233',
      rest: 'gas',
    });
  });

  it.each([60, 120])('has a possible wristband at %d ms a key looked up', (every) => {
    for (const code of ['WB-2026-0013', '4233'])
      expect(new Page('bar').type(code, every).end(every)).toEqual({ is: 'unclear', code, rest: '' });
  });

  it('chooses from the list with words that have a digit, not with digits', () => {
    const choosing = (text: string) => {
      const page = new Page('bar').type(text);
      return page.scanner.end({ ...page.field, hasChoice: true }, page.at + 150);
    };
    expect(choosing('10x10')).toEqual({ is: 'nothing' });
    expect(choosing('4233')).toEqual({ is: 'unclear', code: '4233', rest: '' });
  });

  it('takes a symbol scanned after typed text', () => {
    const page = new Page('bar').type('gas').type(GTIN, 36, { 0: 400 });
    expect(page.end(36)).toEqual({ is: 'scan', code: GTIN, rest: 'gas' });
  });

  it('needs a scanner’s pace for digits after typed words', () => {
    expect(new Page('bar').type('gasa 18').end()).toEqual({ is: 'nothing' });
    expect(new Page('bar').type('gas').type('650', 5, { 0: 400 }).end(5)).toMatchObject({
      is: 'scan',
      rest: 'gas',
    });
  });
});

describe('the page itself', () => {
  it('reads the keys that arrive while the focus moves', () => {
    const scanner = new KeyboardScanner(() => false);
    for (const [place, key] of [...GTIN].entries())
      scanner.press({ ...held, key, timeStamp: place * 60 }, { kind: 'none', id: place % 2, value: '' });
    const bar: Field = { kind: 'bar', id: 1, value: GTIN.slice(3) };
    expect(scanner.end(bar, 800)).toMatchObject({ is: 'scan', code: GTIN });
  });

  it('ignores the shortcut that moved the focus', () => {
    const scanner = new KeyboardScanner((code) => KNOWN.includes(code));
    scanner.press({ ...held, key: '/', timeStamp: 0 }, { kind: 'none', id: 'body', value: '' });
    for (const [place, key] of [...'650'].entries())
      scanner.press(
        { ...held, key, timeStamp: 150 * (place + 1) },
        { kind: 'bar', id: 'bar', value: '650'.slice(0, place) },
      );
    expect(scanner.end({ kind: 'bar', id: 'bar', value: '650' }, 600)).toMatchObject({
      is: 'scan',
      code: '650',
    });
  });

  it('leaves the value of a field in which only its Enter arrives', () => {
    const scanner = new KeyboardScanner(() => false);
    for (const [place, key] of [...GTIN].entries())
      scanner.press({ ...held, key, timeStamp: place * 20 }, { kind: 'bar', id: 'bar', value: '' });
    const quantity: Field = { kind: 'number', id: 'quantity', value: '1' };
    expect(scanner.end(quantity, 400)).toEqual({ is: 'scan', code: GTIN, rest: '1' });
  });

  it('joins pieces that arrive in different fields', () => {
    const scanner = new KeyboardScanner(() => false);
    let at = 0;
    for (const [place, key] of [...GTIN].entries()) {
      at += place === 6 ? 400 : 20;
      scanner.press(
        { ...held, key, timeStamp: at },
        { kind: 'none', id: place < 6 ? 'menu' : 'body', value: '' },
      );
    }
    expect(scanner.end({ kind: 'none', id: 'body', value: '' }, at + 20)).toMatchObject({
      is: 'scan',
      code: GTIN,
    });
  });

  it('leaves shortcuts and a single Enter to the focused element', () => {
    expect(new Page('none').type('n').end(2000)).toEqual({ is: 'nothing' });
    expect(new Page('none').end()).toEqual({ is: 'nothing' });
  });

  it('takes an unknown code, so that the page can report it', () => {
    expect(new Page('none').type('EXP-2026-0099', 60).end(60)).toMatchObject({
      is: 'scan',
      code: 'EXP-2026-0099',
    });
  });

  it('forgets the keys after a deletion', () => {
    const page = new Page('none').type('65');
    page.scanner.press({ ...held, key: 'Backspace', timeStamp: page.at }, page.field);
    expect(page.type('18').end()).toMatchObject({ is: 'scan', code: '18' });
  });
});

it('reads Alt+029 as the group separator', () => {
  const page = new Page('none').type('0109520000001858102A', 10);
  for (const digit of '029')
    page.scanner.press(
      { ...held, key: digit, code: `Numpad${digit}`, altKey: true, timeStamp: page.at },
      page.field,
    );
  expect(page.type('21S9', 10).end(10)).toMatchObject({ is: 'scan', code: GS1 });
});

it('never leaves a code of 3 digits or more in a number field', () => {
  const typed = fc.array(fc.constantFrom('0', '1', '2', '5', ','), { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.constantFrom('number' as const),
      typed,
      fc.constantFrom('650', '14266', GTIN, GS1, HIBC),
      fc.integer({ min: 1, max: 150 }),
      fc.integer({ min: 110, max: 3000 }),
      fc.array(fc.tuple(fc.nat({ max: 12 }), fc.integer({ min: 100, max: 600 })), { maxLength: 2 }),
      (kind, before, code, pace, gap, pauses) => {
        const page = new Page(kind).type(before.join(''));
        const verdict = page.type(code, pace, { ...Object.fromEntries(pauses), 0: gap }).end(pace);
        expect(['scan', 'question']).toContain(verdict.is);
      },
    ),
  );
});
