import type { ReactNode } from 'react'
import type { z } from 'zod'
import { Dialog, type DialogProps } from '../feedback/dialog.tsx'
import { Form, type FormProps } from './form.tsx'

interface FormDialogProps<S extends z.ZodType>
  extends Omit<FormProps<S>, 'onCancel'>, Pick<DialogProps, 'title' | 'closes' | 'width'> {
  /** Placed above the fields. */
  about?: ReactNode
  onClose: () => void
}

/** A dialog with one form. It closes when the form was accepted, or is cancelled. */
export function FormDialog<S extends z.ZodType>(p: FormDialogProps<S>) {
  const { title, closes = 'anyhow', width, about, onClose, onSubmit, ...form } = p
  return (
    <Dialog title={title} closes={closes} {...(width === undefined ? {} : { width })} onClose={onClose}>
      {about}
      <Form
        {...form}
        onCancel={onClose}
        onSubmit={async (values) => {
          await onSubmit(values)
          onClose()
        }}
      />
    </Dialog>
  )
}
