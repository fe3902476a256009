import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'

/** The editor is larger than the screen: it is loaded with its dialog. */
const TemplateEditor = lazy(async () => ({ default: (await import('./template-editor.tsx')).TemplateEditor }))

interface TemplateFieldProps {
  value?: string
  onChange?: (text: string) => void
}

/** A blueprint as text, with its problems by line. A field of a Form. */
export const TemplateField = ({ value = '', onChange }: TemplateFieldProps) => (
  <Suspense fallback={<Skeleton rows={8} />}>
    <TemplateEditor value={value} onChange={(text) => onChange?.(text)} />
  </Suspense>
)
