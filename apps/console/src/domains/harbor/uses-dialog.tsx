import { harborContents, type HarborImage } from '@gantry/contract/harbor/contents'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { UsesOf } from '../images/public.tsx'

interface UsesProps {
  harborId: number
  repo: string
  image: HarborImage
  onClose: () => void
}

/** The services that use an image, and the builds that made it. */
export function UsesDialog({ harborId, repo, image: { digest, tags }, onClose }: UsesProps) {
  const query = useRead(harborContents.uses, { params: { id: harborId }, query: { repo, digest } })
  return (
    <Dialog title={t('harbor-ui-uses-of', { name: tags[0]?.name ?? digest.slice(0, 19) })} onClose={onClose}>
      <Loaded query={query}>{(uses) => <UsesOf uses={uses} />}</Loaded>
    </Dialog>
  )
}
