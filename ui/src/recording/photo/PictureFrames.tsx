import { centreOf } from '@/symbols/photo/geometry';
import classes from './PhotoPanel.module.css';
import type { Frame } from './photoRows';
import { Sign, type SignTone } from './Sign';
import type { Picture } from './usePictures';

interface Props {
  picture: Picture;
  alt: string;
  frames: Frame[];
  toneOf: (key: string) => SignTone;
  /** What an unread symbol says to the mouse. */
  unreadText: string;
  /** The row that is lit with its frames. */
  lit: string | null;
  onLight: (key: string | null) => void;
  onChoose: (key: string) => void;
}

/** A picture with a frame around each symbol that was read or seen. */
export function PictureFrames({ picture, alt, frames, toneOf, unreadText, lit, onLight, onChoose }: Props) {
  const { url, width, height } = picture;
  const shown = frames.map(({ symbol, key }, place) => ({
    id: `${place} ${symbol.text}`,
    symbol,
    key,
    tone: key === null ? (symbol.text === null ? 'red' : 'grey') : toneOf(key),
  }));
  return (
    <div className={classes.picture}>
      <img src={url} alt={alt} className={classes.image} />
      {width > 0 && (
        <svg
          className={classes.frames}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          aria-hidden
        >
          {shown.map(({ id, symbol, key, tone }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the row beside it does the same by keyboard.
            <polygon
              key={id}
              data-tone={tone}
              data-lit={(key !== null && key === lit) || undefined}
              points={symbol.corners.map(({ x, y }) => `${x},${y}`).join(' ')}
              onMouseEnter={() => onLight(key)}
              onMouseLeave={() => onLight(null)}
              onClick={() => key !== null && onChoose(key)}
            >
              {key === null && symbol.text === null && <title>{unreadText}</title>}
            </polygon>
          ))}
        </svg>
      )}
      {shown.map(({ id, symbol, tone }) => {
        const { x, y } = centreOf(symbol.corners);
        return (
          <span
            key={id}
            className={classes.mark}
            style={{ insetInlineStart: `${(100 * x) / width}%`, top: `${(100 * y) / height}%` }}
          >
            <Sign tone={tone} />
          </span>
        );
      })}
    </div>
  );
}
