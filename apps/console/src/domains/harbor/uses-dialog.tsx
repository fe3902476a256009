import { harborContents } from '@gantry/contract/harbor/contents'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { UsesOf } from '../images/public.tsx'
import type { ImageDialogProps } from './layers-dialog.tsx'

/** The services that use an image, and the builds that made it. */
export function UsesDialog({ harborId, repo, image: { digest, tags }, onClose }: ImageDialogProps) {
  const query = useRead(harborContents.uses, { params: { id: harborId }, query: { repo, digest } })
  return (
    <Dialog title={t('harbor-ui-uses-of', { name: tags[0]?.name ?? digest.slice(0, 19) })} onClose={onClose}>
      <Loaded query={query}>{(uses) => <UsesOf uses={uses} />}</Loaded>
    </Dialog>
  )
}
