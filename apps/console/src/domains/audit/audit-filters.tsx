import { Input, Select, Switch } from 'antd'
import { phrasesWith, t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import type { ListState } from '../../ui/table/list-state.ts'
import { SearchBox } from '../../ui/table/search-box.tsx'
import { isShort, ranges } from './use-audit-filters.ts'
import styles from './audit.module.css'

const prefix = 'audit-action-'

const actions = () =>
  phrasesWith(prefix)
    .map((key) => ({ value: key.slice(prefix.length), label: t(key) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))

const texts = ['teamName', 'msg', 'url'] as const

/** A local time, as a browser's datetime field has it. */
function Moment({ name, list }: { name: 'from' | 'until'; list: ListState }) {
  return (
    <Input
      className={styles.moment}
      type="datetime-local"
      step={1}
      aria-label={t(`audit-ui-${name}`)}
      prefix={<span className="g-faint">{t(`audit-ui-${name}`)}</span>}
      value={list.filters[name] ?? ''}
      onChange={(event) => list.setFilter(name, event.target.value)}
    />
  )
}

/** Every filter of the search; stored in the address. */
export function AuditFilters({ list, userName }: { list: ListState; userName: string }) {
  const { filters, setFilter } = list
  const label = (text: string) => <span className="g-faint">{text}</span>
  return (
    <>
      <Select
        aria-label={t('audit-ui-time')}
        prefix={label(t('audit-ui-time'))}
        value={filters['range'] ?? 'all'}
        popupMatchSelectWidth={false}
        options={['all', ...Object.keys(ranges), 'custom'].map((value) => ({
          value,
          label: t(`audit-ui-range-${value as keyof typeof ranges | 'all' | 'custom'}`),
        }))}
        onChange={(value) => setFilter('range', value)}
      />
      {filters['range'] === 'custom' && (
        <>
          <Moment name="from" list={list} />
          <Moment name="until" list={list} />
        </>
      )}
      <Select
        className={`${styles.action}`}
        showSearch={{ optionFilterProp: 'label' }}
        aria-label={t('audit-ui-action')}
        prefix={label(t('audit-ui-action'))}
        value={filters['apiValue'] ?? ''}
        popupMatchSelectWidth={false}
        options={[{ value: '', label: t('audit-ui-all') }, ...actions()]}
        onChange={(value) => setFilter('apiValue', value)}
      />
      <Select
        aria-label={t('audit-ui-result')}
        prefix={label(t('audit-ui-result'))}
        value={filters['result'] ?? 'all'}
        popupMatchSelectWidth={false}
        options={[
          { value: 'all', label: t('audit-ui-all') },
          { value: '1', label: t('audit-result-1') },
          { value: '0', label: t('audit-result-0') },
        ]}
        onChange={(value) => setFilter('result', value)}
      />
      {texts.map((name) => (
        <SearchBox
          key={name}
          label={t(`audit-ui-${name}`)}
          value={filters[name] ?? ''}
          onSearch={(text) => setFilter(name, text)}
        />
      ))}
      <label className={styles.routine}>
        <Switch
          size="small"
          checked={filters['routine'] === 'show'}
          onChange={(on) => setFilter('routine', on ? 'show' : '')}
        />
        <span>{t('audit-ui-routine')}</span>
      </label>
      {filters['userId'] !== '' && (
        <Button small icon="close" onClick={() => setFilter('userId', '')}>
          {t('audit-ui-only-user', { name: userName || filters['userId'] || '' })}
        </Button>
      )}
      {list.narrowed && (
        <Button small quiet onClick={list.clear}>
          {t('ui-clear-filters')}
        </Button>
      )}
      {isShort(list) && <span className={styles.hint}>{t('audit-ui-short')}</span>}
    </>
  )
}
