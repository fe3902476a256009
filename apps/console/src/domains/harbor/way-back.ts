import { t } from '../../api/language.ts'
import { to } from '../../ui/link.tsx'
import type { Crumb } from '../../ui/page.tsx'

/** The page from which a project's contents were opened; it alone decides where the way back leads. */
export function wayBack(from: string, harborId: number): Crumb {
  if (from === 'harbor') return { label: t('route-sys-harbor'), to: to('sys-harbor', { harbor_id: harborId }) }
  const search = from === 'repositories' ? { tab: 'repositories' } : {}
  return { label: t('route-registry-namespace'), to: to('registry-namespace', {}, search) }
}
