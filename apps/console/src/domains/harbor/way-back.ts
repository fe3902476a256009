import { t } from '../../api/language.ts'
import { to } from '../../ui/link.tsx'
import type { Crumb } from '../../ui/page.tsx'

/** Where a page of a project's contents was opened from: this and nothing else decides the way back. */
export function wayBack(from: string, harborId: number): Crumb {
  if (from === 'harbor') return { label: t('route-sys-harbor'), to: to('sys-harbor', { harbor_id: harborId }) }
  const search = from === 'repositories' ? { tab: 'repositories' } : {}
  return { label: t('route-registry-namespace'), to: to('registry-namespace', {}, search) }
}
