import { Button, Paper, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { ChangeHospitalSettingsApiArg } from '@/api/generated';
import { usePreviewHospitalSettingsMutation } from '@/api/hospitalPreview';
import { useText } from '@/i18n/useText';
import classes from './HospitalPage.module.css';

const WAIT_MS = 700;

interface Props {
  draft: ChangeHospitalSettingsApiArg['hospitalDraft'];
  logoVersion: number | null;
}

/**
 * The paper with the unsaved letterhead.
 *
 * Where the browser shows no PDF in a page, as on phones, it is the head of the paper, and a button for the PDF.
 */
export function PaperPreview({ draft, logoVersion }: Props) {
  const t = useText();
  const [preview] = usePreviewHospitalSettingsMutation();
  const [wanted] = useDebouncedValue(JSON.stringify({ draft, logoVersion }), WAIT_MS);
  const [address, setAddress] = useState<string | null>(null);

  useEffect(() => {
    const asked = preview(JSON.parse(wanted).draft);
    // An invalid field is said at the field: the last valid paper stays.
    asked
      .unwrap()
      .then(setAddress)
      .catch(() => {});
    return () => asked.abort();
  }, [wanted, preview]);
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address]);

  const { name, address: streets = [], tax_number, letterhead = [] } = draft;
  const others = [...streets, tax_number, ...letterhead].filter(Boolean);
  return (
    <Paper withBorder component="section" className={classes.preview} aria-labelledby="paper-preview">
      <Title order={2} id="paper-preview" fz="md">
        {t('hospital.preview')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('hospital.previewSample')}
      </Text>
      {navigator.pdfViewerEnabled ? (
        <iframe
          className={classes.paper}
          title={t('hospital.preview')}
          src={address ? `${address}#toolbar=0&navpanes=0&view=FitH` : undefined}
        />
      ) : (
        <>
          <div className={classes.head}>
            {logoVersion && <img src={`/api/hospital/logo?version=${logoVersion}`} alt="" />}
            <div>
              {name && <b>{name}</b>}
              {others.map((line, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and two may be equal.
                <div key={place}>{line}</div>
              ))}
            </div>
          </div>
          <Button
            component="a"
            href={address ?? undefined}
            target="_blank"
            rel="noopener"
            variant="default"
            disabled={!address}
          >
            {t('hospital.previewOpen')}
          </Button>
        </>
      )}
    </Paper>
  );
}
