import { Group, Modal, type ModalRootProps } from '@mantine/core';
import './modalStyles';
import type { ReactNode } from 'react';
import classes from './Dialog.module.css';
import { useReturnFocus } from './useReturnFocus';

interface Props extends ModalRootProps {
  title: ReactNode;
  children: ReactNode;
}

/** A question or a small form above the page. Its last element is `DialogFooter`. */
export function Dialog({ title, children, ...rest }: Props) {
  useReturnFocus(rest.opened);
  return (
    <Modal.Root centered {...rest}>
      <Modal.Overlay />
      {/* React hands its events on to the form of the page that has it, which is not what was sent. */}
      <Modal.Content onSubmit={(event) => event.stopPropagation()}>
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

/** Its buttons, in view however much there is to read above them. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <Group className={classes.footer} justify="flex-end" gap="sm">
      {children}
    </Group>
  );
}
