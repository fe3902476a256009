import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'

/** The editor weighs more than the screen: it comes with the dialog that has it. */
const TemplateEditor = lazy(async () => ({ default: (await import('./template-editor.tsx')).TemplateEditor }))

interface TemplateFieldProps {
  value?: string
  onChange?: (text: string) => void
}

/** A blueprint as text, with what is wrong with it, by line. A field of a Form. */
export const TemplateField = ({ value = '', onChange }: TemplateFieldProps) => (
  <Suspense fallback={<Skeleton rows={8} />}>
    <TemplateEditor value={value} onChange={(text) => onChange?.(text)} />
  </Suspense>
)
