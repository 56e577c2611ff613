import { Button, FileButton, Group, Input } from '@mantine/core';
import { IconCamera, IconPhoto } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { type ProductView, useRemovePictureMutation, useSetPictureMutation } from '@/api/generated';
import { isFailure, toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { ProductDrawing } from '../ProductDrawing';
import drawingClasses from '../ProductDrawing.module.css';
import { scalePicture } from './scalePicture';

/** A chosen picture, `null` to remove the current one, `undefined` if nothing changes. */
type Chosen = Blob | null | undefined;

/** Keep the chosen picture until the product is saved. */
export function usePicture(product: ProductView | undefined) {
  const t = useText();
  const [chosen, setChosen] = useState<Chosen>();
  // Read when the page is left, right after saving.
  const unsaved = useRef<Chosen>(undefined);
  const [setPicture] = useSetPictureMutation();
  const [removePicture] = useRemovePictureMutation();

  function choose(picture: Chosen) {
    // A picture that was never saved needs no removal.
    unsaved.current = picture === null && !product?.picture ? undefined : picture;
    setChosen(unsaved.current);
  }

  /** Send the chosen picture of a product that is saved. */
  async function save(productId: number): Promise<{ data?: unknown; error?: unknown }> {
    const picture = unsaved.current;
    if (picture === undefined) return {};
    const saved = picture
      ? await setPicture({ productId, body: picture })
      : await removePicture({ productId });
    if (saved.error === undefined) unsaved.current = undefined;
    // A picture that the server cannot process must not cost what the form contains.
    else if (isFailure(toProblem(saved.error).status))
      return { error: { status: 422, data: { message: [t('error.picture')] } } };
    return saved;
  }

  return { chosen, choose, save, isUnsaved: () => unsaved.current !== undefined };
}

interface Props {
  product: ProductView | undefined;
  name: string;
  category: string | undefined;
  picture: ReturnType<typeof usePicture>;
}

/** Whether the file dialog can open the camera: that of a phone or tablet. */
const hasCamera = () => window.matchMedia('(pointer: coarse)').matches;

/** Choose the picture of a product, or take one. It is scaled down at once, and sent with the product. */
export function PictureField({ product, name, category, picture: { chosen, choose } }: Props) {
  const t = useText();
  const [error, setError] = useState<string | null>(null);
  const preview = usePreview(chosen);
  const current = chosen === undefined ? product?.picture : null;

  async function take(file: File | null) {
    if (!file) return;
    const scaled = await scalePicture(file);
    setError(scaled ? null : t('products.pictureUnreadable', { file: file.name }));
    if (scaled) choose(scaled);
  }

  function remove() {
    setError(null);
    choose(null);
  }

  return (
    <Input.Wrapper
      label={t('products.picture')}
      labelElement="div"
      description={t('products.pictureHint')}
      error={error}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <Group gap="sm" my={4}>
        {preview ? (
          <span className={drawingClasses.box} data-large>
            <img className={drawingClasses.picture} src={preview} alt={t('products.picturePreview')} />
          </span>
        ) : (
          <ProductDrawing name={name} category={category} productId={product?.id} picture={current} large />
        )}
        <FileButton accept="image/*" onChange={take}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconPhoto size={20} aria-hidden />}>
              {t('products.choosePicture')}
            </Button>
          )}
        </FileButton>
        {hasCamera() && (
          <FileButton accept="image/*" capture="environment" onChange={take}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconCamera size={20} aria-hidden />}>
                {t('products.takePicture')}
              </Button>
            )}
          </FileButton>
        )}
        {(preview || current) && (
          <Button variant="subtle" color="red" onClick={remove}>
            {t('products.removePicture')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}

/** Return an address of the picture in memory. */
function usePreview(picture: Chosen) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!picture) return;
    const made = URL.createObjectURL(picture);
    setAddress(made);
    return () => {
      URL.revokeObjectURL(made);
      setAddress(undefined);
    };
  }, [picture]);
  return address;
}
