import { Group, Modal, type ModalRootProps } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import classes from './Dialog.module.css';
import { useOpenDialog } from './openDialogs';
import { useEscape } from './useEscape';
import { useReturnFocus } from './useReturnFocus';

interface Props extends ModalRootProps {
  title: ReactNode;
  children: ReactNode;
  /**
   * Whether nothing may be recorded until it is answered, as with a question about the sheet or the patient.
   *
   * With null, a wristband does not close it either.
   */
  holdsScans?: boolean | null;
}

/**
 * A question or a small form above the page.
 *
 * Its last element is `DialogFooter`.
 */
export function Dialog({ title, children, holdsScans = true, ...rest }: Props) {
  const content = useRef<HTMLDivElement>(null);
  useEscape(rest.opened, rest.onClose);
  useReturnFocus(rest.opened, undefined, content);
  useOpenDialog(rest.opened && holdsScans !== null, content, {
    holdsScans: holdsScans === true,
    onClose: rest.onClose,
  });
  return (
    <Modal.Root centered {...rest}>
      <Modal.Overlay />
      {/* React events bubble from the portal to a form of the page, which was not submitted. */}
      <Modal.Content ref={content} onSubmit={(event) => event.stopPropagation()}>
        <Modal.Body className={classes.body}>
          <Modal.Title fw={600} fz="lg" lh="lg" mb="sm">
            {title}
          </Modal.Title>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The buttons of a dialog, always in view above the scrolling content. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <Group className={classes.footer} justify="flex-end" gap="sm">
      {children}
    </Group>
  );
}
