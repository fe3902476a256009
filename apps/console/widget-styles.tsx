import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs'
import {
  AutoComplete,
  Button,
  Checkbox,
  ConfigProvider,
  Drawer,
  Dropdown,
  Empty,
  Form,
  Input,
  InputNumber,
  Modal,
  Popover,
  Segmented,
  Select,
  Skeleton,
  Space,
  Switch,
  Tooltip,
  type ThemeConfig,
} from 'antd'
import { renderToStaticMarkup } from 'react-dom/server'

/**
 * antd's rules as a file: creating them in the browser would delay the first screen by almost a hundred milliseconds
 * (decision 67). They name colours and sizes by variables only, which antd sets by the theme, so one sheet fits all
 * themes.
 */

/** The widgets that the console renders, directly or within others: all other widgets are unstyled. */
const widgets = (
  <>
    <AutoComplete />
    <Space.Compact>
      <Button />
    </Space.Compact>
    <Checkbox.Group options={['']} />
    <Drawer />
    <Dropdown>
      <i />
    </Dropdown>
    <Empty />
    <Form>
      <Form.Item label=" " tooltip=" ">
        <Input />
      </Form.Item>
    </Form>
    <Input.OTP />
    <Input.Password />
    <Input.Search />
    <Input.TextArea />
    <InputNumber />
    <Modal />
    <Popover />
    <Segmented options={['']} />
    <Select />
    <Skeleton />
    <Space />
    <Space.Addon> </Space.Addon>
    <Switch />
    <Tooltip />
  </>
)

/** The sheet, and the names of the style hooks whose rules it contains: `Input-TextArea`. */
export function widgetStyles(theme: ThemeConfig = {}): { css: string; hooks: Set<string> } {
  const cache = createCache()
  renderToStaticMarkup(
    <StyleProvider cache={cache}>
      <ConfigProvider theme={{ ...theme, hashed: false, cssVar: { prefix: 'ant' } }}>{widgets}</ConfigProvider>
    </StyleProvider>,
  )
  const hooks = new Set([...cache.cache.keys()].flatMap((key) => /^style%%([^%]+)%[^%]+%anticon$/.exec(key)?.[1] ?? []))
  return { css: extractStyle(cache, { plain: true, types: ['style'] }), hooks }
}

/** Variants that the console never uses: right-to-left text, preset colours, grid columns, filled fields. */
const undrawn =
  /-rtl\b|\[dir=|-color-(blue|purple|cyan|green|magenta|pink|red|orange|yellow|volcano|geekblue|lime|gold)\b|\.ant-col-|\.ant-otp|-(filled|underlined)\b/

/** Selectors are separated by commas, except those within brackets. */
const betweenSelectors = /,(?![^([]*[)\]])/

/** The rules of a sheet whose selectors may match; a nesting rule is removed with the last rule in it. */
export function drawnRules(css: string): string {
  let kept = ''
  for (let at = 0; at < css.length;) {
    const open = css.indexOf('{', at)
    if (open < 0) return kept + css.slice(at)
    let end = open + 1
    for (let depth = 1; depth > 0; end += 1) depth += css[end] === '{' ? 1 : css[end] === '}' ? -1 : 0
    const head = css.slice(at, open)
    const body = css.slice(open + 1, end - 1)
    at = end
    if (head.startsWith('@keyframes')) kept += `${head}{${body}}`
    else if (head.startsWith('@')) {
      const inner = drawnRules(body)
      if (inner !== '') kept += `${head}{${inner}}`
    } else {
      const selectors = head.split(betweenSelectors).filter((selector) => !undrawn.test(selector))
      if (selectors.length > 0) kept += `${selectors.join(',')}{${body}}`
    }
  }
  return kept
}
