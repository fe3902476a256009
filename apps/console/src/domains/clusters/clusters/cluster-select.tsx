import { clusters } from '@gantry/contract/clusters/clusters'
import { ManySelect } from '../../../ui/form/many-select.tsx'
import { RemoteSelect, type RemoteSelectProps } from '../../../ui/form/remote-select.tsx'

interface ClusterSelectProps extends Pick<
  RemoteSelectProps<typeof clusters.list, string>,
  'id' | 'value' | 'onChange' | 'valueLabel'
> {
  /** The text for an empty selection; absent: a cluster is required. */
  none?: string
}

/** Picks one of all clusters. A field of a Form. */
export const ClusterSelect = ({ none, ...field }: ClusterSelectProps) => (
  <RemoteSelect
    {...field}
    {...(none !== undefined && { clearable: true, placeholder: none })}
    endpoint={clusters.list}
    pageSize={50}
    option={({ uuid, name }) => ({ value: uuid, label: name })}
  />
)

interface ClustersSelectProps {
  id?: string
  value?: readonly string[]
  onChange?: (value: string[]) => void
}

/** Picks some of all clusters. A field of a Form. */
export const ClustersSelect = (field: ClustersSelectProps) => (
  <ManySelect
    {...field}
    endpoint={clusters.list}
    pageSize={50}
    option={({ uuid, name }) => ({ value: uuid, label: name })}
  />
)
