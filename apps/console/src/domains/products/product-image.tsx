import { useQuery } from '@tanstack/react-query'
import { products, type Product } from '@gantry/contract/products/products'
import { call } from '../../api/call.ts'
import { dataUrl } from '../../api/transfer.ts'
import { Icon } from '../../ui/icon.tsx'

/** A product's picture, or the default one. Decorative, because the name stands beside it. */
export function ProductImage({ product, size = 20 }: { product: Product; size?: number }) {
  const { id, teamId, imageVersion } = product
  const { data } = useQuery({
    queryKey: ['product-image', id, imageVersion],
    enabled: imageVersion !== '',
    // the picture of a version never changes
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }) => {
      const input = { params: { team: teamId, id }, query: { v: imageVersion } }
      return dataUrl((await call(products.image, input, signal)) as Blob)
    },
  })
  if (data === undefined || imageVersion === '') return <Icon name="product" size={size} />
  return <img src={data} width={size} height={size} alt="" />
}
