import { useState } from 'react'
import { t } from '../../api/language.ts'
import { toast, wordsOf } from '../../api/notices.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Problem } from '../../ui/feedback/problem.tsx'
import { FileDrop } from '../../ui/form/file-drop.tsx'

const most = 500 * 1024

interface PictureDialogProps {
  title: string
  send: (file: File) => Promise<unknown>
  onClose: () => void
}

/** Uploads the picture of a product or a preset service, and closes. */
export function PictureDialog({ title, send, onClose }: PictureDialogProps) {
  const [problem, setProblem] = useState('')
  const take = async (file: File) => {
    if (file.size > most) return setProblem(t('products-ui-image-size'))
    try {
      await send(file)
      toast.ok(t('products-ui-image-set'))
      return onClose()
    } catch (error) {
      return setProblem(wordsOf(error))
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <FileDrop
        accept="image/jpeg,image/png"
        label={t('products-ui-image')}
        memo={t('products-ui-image-memo')}
        onFile={(file) => void take(file)}
      />
      <Problem text={problem} />
    </Dialog>
  )
}
