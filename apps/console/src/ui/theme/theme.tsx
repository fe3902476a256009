import { ConfigProvider, theme as antd, type ThemeConfig } from 'antd'
import { useSyncExternalStore, type ReactNode } from 'react'
import { useDark } from './dark.ts'
import { dark, light } from './palette.ts'
import { widgetWords } from '../widgets.ts'

const calm = matchMedia('(prefers-reduced-motion: reduce)')
const followCalm = (listener: () => void) => {
  calm.addEventListener('change', listener)
  return () => calm.removeEventListener('change', listener)
}

/** Whether the user prefers reduced motion. */
const useCalm = (): boolean => useSyncExternalStore(followCalm, () => calm.matches)

const shared = {
  borderRadius: 6,
  borderRadiusLG: 10,
  borderRadiusSM: 4,
  controlHeight: 32,
  fontFamily: 'var(--g-font)',
  fontFamilyCode: 'var(--g-mono)',
  fontSize: 14,
  motionDurationFast: '0.08s',
  motionDurationMid: '0.12s',
  motionDurationSlow: '0.15s',
  wireframe: false,
}

function themeOf(isDark: boolean): ThemeConfig {
  const p = isDark ? dark : light
  return {
    algorithm: isDark ? antd.darkAlgorithm : antd.defaultAlgorithm,
    cssVar: { prefix: 'ant' },
    hashed: false,
    // Rules are in widgets.css; the browser only creates variables.
    zeroRuntime: true,
    token: {
      ...shared,
      colorPrimary: p.accent,
      colorPrimaryHover: p.accentHover,
      colorPrimaryActive: p.accentHover,
      colorPrimaryBg: p.accentSoft,
      // antd's focus outline
      colorPrimaryBorder: p.accent,
      lineWidthFocus: 2,
      colorLink: p.accent,
      colorLinkHover: p.accentHover,
      colorInfo: p.info,
      colorSuccess: p.ok,
      colorWarning: p.warn,
      colorError: p.bad,
      colorText: p.text,
      colorTextSecondary: p.text2,
      colorTextTertiary: p.text3,
      colorTextQuaternary: p.text3,
      colorTextPlaceholder: p.text3,
      colorTextDescription: p.text2,
      colorIcon: p.text3,
      colorBgLayout: p.bg,
      colorBgContainer: p.surface,
      colorBgElevated: p.raised,
      colorBorder: p.lineStrong,
      colorBorderSecondary: p.line,
      colorSplit: p.line,
      controlItemBgActive: p.accentSoft,
      controlItemBgHover: p.sunken,
      boxShadow: 'var(--g-shadow)',
      boxShadowSecondary: 'var(--g-shadow)',
    },
    components: {
      Button: {
        primaryColor: p.onAccent,
        dangerColor: isDark ? '#2b0504' : '#ffffff',
        fontWeight: 500,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
      },
      Form: { labelColor: p.text2, verticalLabelPadding: '0 0 4px', itemMarginBottom: 20 },
      Select: { optionSelectedBg: p.accentSoft },
      Modal: { titleFontSize: 16 },
      Tooltip: { colorBgSpotlight: isDark ? '#2b393b' : '#1b2a29' },
      Checkbox: { colorWhite: p.onAccent },
      Switch: { colorTextQuaternary: p.lineStrong },
    },
  }
}

const moving = { light: themeOf(false), dark: themeOf(true) }

/** For users who prefer no motion: then nothing waits for the end of an animation. */
const still = (theme: ThemeConfig): ThemeConfig => ({ ...theme, token: { ...theme.token, motion: false } })
const calmed = { light: still(moving.light), dark: still(moving.dark) }

/** antd with the product's colours and the page's language, for what is rendered after `loadWidgets`. */
export function Theme({ nonce, children }: { nonce: string; children: ReactNode }) {
  const isDark = useDark()
  const themes = useCalm() ? calmed : moving
  const locale = widgetWords()
  return (
    <ConfigProvider
      theme={isDark ? themes.dark : themes.light}
      {...(locale ? { locale } : {})}
      csp={{ nonce }}
      button={{ autoInsertSpace: false }}
      wave={{ disabled: true }}
    >
      {children}
    </ConfigProvider>
  )
}
