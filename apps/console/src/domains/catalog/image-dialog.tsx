import { type Catalog, catalogs } from '@gantry/contract/catalog/catalogs'
import { call } from '../../api/call.ts'
import { refreshReads } from '../../api/queries.ts'
import { t } from '../../api/language.ts'
import { PictureDialog } from '../products/public.tsx'

/** The picture of a preset service, which its card shows. */
export const ImageDialog = ({ catalog: { id, name }, onClose }: { catalog: Catalog; onClose: () => void }) => (
  <PictureDialog
    title={t('catalog-ui-image-title', { name })}
    send={async (file) => {
      await call(catalogs.setImage, { params: { id }, file })
      await refreshReads([catalogs.setImage])
    }}
    onClose={onClose}
  />
)
