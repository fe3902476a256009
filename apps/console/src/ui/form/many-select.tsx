import { Select } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '@gantry/contract/endpoint'
import type { List } from '@gantry/contract/paging'
import type { CallInput } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { fetchDelayMs, useDelayed, useMore, useScrollMore } from './remote-select.tsx'

type ListEndpoint = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<List<unknown>>>
type ItemOf<E extends ListEndpoint> = z.output<E['data']>['items'][number]

interface ManySelectProps<E extends ListEndpoint, V extends number | string> {
  id?: string
  value?: readonly V[]
  onChange?: (value: V[]) => void
  endpoint: E
  input?: CallInput<E>
  pageSize: 10 | 20 | 50
  option: (item: ItemOf<E>) => { value: V; label: string }
  /** Values that cannot be chosen. */
  without?: readonly V[]
}

/** Selects several items of the server, searched there. The names of selected ones stay during a search. */
export function ManySelect<E extends ListEndpoint, V extends number | string>(p: ManySelectProps<E, V>) {
  const { value = [], without = [] } = p
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [known, setKnown] = useState<ReadonlyMap<V, string>>(new Map())
  const keyword = useDelayed(typed, fetchDelayMs)
  const list = useMore(p.endpoint, p.input ?? {}, keyword, p.pageSize, open || value.length > 0)
  // the options still belong to another text: Enter would select an unintended one
  const searched = typed === keyword && !list.isPlaceholderData
  const onScroll = useScrollMore(() => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  })
  const found = (searched ? list.items : []).map(p.option).filter((choice) => !without.includes(choice.value))
  const listed = new Set(found.map((choice) => choice.value))
  const picked = value.filter((one) => !listed.has(one)).map((one) => ({ value: one, label: known.get(one) ?? '…' }))
  return (
    <Select
      {...(p.id === undefined ? {} : { id: p.id })}
      mode="multiple"
      className="g-select"
      value={[...value]}
      placeholder={t('ui-choose-one')}
      defaultActiveFirstOption={searched}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      onOpenChange={setOpen}
      onPopupScroll={onScroll}
      loading={list.isFetching}
      options={[...found, ...picked]}
      notFoundContent={
        list.error ? (
          <span className="g-bad">{wordsOf(list.error)}</span>
        ) : (
          t(searched && !list.isFetching ? 'no-data' : 'ui-loading')
        )
      }
      onChange={(next: V[]) => {
        setKnown((names) => new Map([...names, ...found.map((c): [V, string] => [c.value, c.label])]))
        p.onChange?.(next)
      }}
    />
  )
}
