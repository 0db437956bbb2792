// The first match wins: browsers also name the browsers that they imitate.
const BROWSERS = [
  { name: 'Edge', mark: /Edg/ },
  { name: 'Opera', mark: /OPR|Opera/ },
  { name: 'Samsung Internet', mark: /SamsungBrowser/ },
  { name: 'Firefox', mark: /Firefox|FxiOS/ },
  { name: 'Chrome', mark: /Chrome|Chromium|CriOS/ },
  { name: 'Safari', mark: /Safari/ },
]
const SYSTEMS = [
  { name: 'Android', mark: /Android/ },
  { name: 'iOS', mark: /iPhone|iPad|iPod/ },
  { name: 'Windows', mark: /Windows/ },
  { name: 'macOS', mark: /Mac OS X|Macintosh/ },
  { name: 'ChromeOS', mark: /CrOS/ },
  { name: 'Linux', mark: /Linux/ },
]

/**
 * Returns the name of a browser and its system, as "Firefox on Android", by its `User-Agent`. Undefined for
 * an unknown browser.
 */
export function browserName(userAgent: string): string | undefined {
  const [browser, system] = [BROWSERS, SYSTEMS].map((all) => all.find(({ mark }) => mark.test(userAgent))?.name)
  return browser && system ? `${browser} on ${system}` : browser
}
