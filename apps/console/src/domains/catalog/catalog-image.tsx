import { useQuery } from '@tanstack/react-query'
import { catalogs, type TeamCatalog } from '@gantry/contract/catalog/catalogs'
import { call } from '../../api/call.ts'
import { dataUrl } from '../../api/transfer.ts'
import { Icon } from '../../ui/icon.tsx'

/** The picture of a preset service, or the default one. Decorative, because the name stands beside it. */
export function CatalogImage({
  catalog: { id, imageVersion },
  size = 20,
}: {
  catalog: Pick<TeamCatalog, 'id' | 'imageVersion'>
  size?: number
}) {
  const { data } = useQuery({
    queryKey: ['catalog-image', id, imageVersion],
    enabled: imageVersion !== '',
    // the picture of a version never changes
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }) =>
      dataUrl((await call(catalogs.image, { params: { id }, query: { v: imageVersion } }, signal)) as Blob),
  })
  if (data === undefined || imageVersion === '') return <Icon name="template" size={size} />
  return <img src={data} width={size} height={size} alt="" />
}
