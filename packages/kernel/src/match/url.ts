/**
 * URL contents: `domain:host` compares hosts alone, `scheme://host/path` compares scheme, host and path each by
 * itself after normalising. What an allow rule can't say soundly (a star inside its host) it does not say.
 */
import { domainToASCII } from "node:url"
import type { Behavior } from "../Rule.ts"
import { type Glob, globMatches, globOf } from "./glob.ts"

/** A URL of a call, taken apart; undefined parts when it is none. */
export interface UrlParts {
  readonly scheme: string
  readonly host: string
  /** Empty for the scheme's own. */
  readonly port: string
  readonly path: string
  readonly query: string
  readonly userInfo: boolean
}

/** A URL content, compiled. */
export interface UrlPattern {
  /** Undefined: any scheme. */
  readonly scheme: Glob | undefined
  readonly host: HostPattern
  /** Undefined: any port. */
  readonly port: string | undefined
  /** Undefined: any path. */
  readonly path: Glob | undefined
  /** Of an allow rule: user info is refused, and a query counts as part of the path. */
  readonly strict: boolean
}

export type HostPattern =
  | { readonly kind: "any" }
  | { readonly kind: "exact"; readonly host: string }
  /** Any depth below the host, not itself. */
  | { readonly kind: "below"; readonly host: string }
  /** Inner stars, each within its label. */
  | { readonly kind: "labels"; readonly labels: readonly Glob[]; readonly below: boolean }
  /** Of a malformed ban: every host that begins so. */
  | { readonly kind: "beginning"; readonly text: string }

/** Takes a URL apart. */
export function readUrl(url: string): UrlParts | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, password, pathname, port, protocol, search, username } = new URL(url)
  return {
    scheme: protocol.slice(0, -1),
    host: withoutDot(hostname),
    port,
    path: normalPath(pathname),
    query: search,
    userInfo: username !== "" || password !== ""
  }
}

/** Whether an allow rule may hold this content. */
export const hostIsSound = (content: string) => urlPattern(content, "allow", false, false) !== undefined

/** Compiles a content; undefined for one that has no effect. A malformed ban reaches everything that begins like it. */
export function urlPattern(
  content: string,
  behavior: Behavior,
  exact: boolean,
  malformed: boolean
): UrlPattern | undefined {
  const strict = behavior === "allow"
  const split = exact ? (text: string): Glob => [text] : globOf
  if (content.startsWith("domain:")) {
    const host = hostPattern(content.slice(7), exact, malformed)
    if (host === undefined || (strict && host.kind === "labels")) return undefined
    return { scheme: undefined, host, port: undefined, path: undefined, strict: false }
  }
  const at = content.indexOf("://")
  if (at === -1 && strict) return undefined
  const scheme = at === -1 ? "*" : content.slice(0, at).toLowerCase()
  const rest = at === -1 ? content : content.slice(at + 3)
  const slash = rest.search(/[/?#]/)
  const authority = slash === -1 ? rest : rest.slice(0, slash)
  const path = slash === -1 ? undefined : rest.slice(slash).replace(/#.*$/s, "")
  const colon = /:(\d+)$/.exec(authority)
  const host = hostPattern(
    colon === null ? authority : authority.slice(0, colon.index),
    exact,
    malformed && slash === -1
  )
  if (host === undefined || authority.includes("@")) return undefined
  if (strict && (!/^[a-z][a-z0-9+.-]*$/.test(scheme) || !soundInAllow(host))) return undefined
  return {
    scheme: split(scheme),
    host,
    port: portOf(colon?.[1], scheme, strict),
    path:
      path === undefined
        ? undefined
        : split(normalPath(path.startsWith("/") ? path : `/${path}`) + (malformed ? "*" : "")),
    strict
  }
}

/** Whether the content speaks of the URL. */
export function urlMatches(pattern: UrlPattern, url: UrlParts): boolean {
  if (pattern.scheme !== undefined && !globMatches(pattern.scheme, url.scheme)) return false
  if (pattern.port !== undefined && pattern.port !== url.port) return false
  if (pattern.strict && url.userInfo) return false
  if (!hostMatches(pattern.host, url.host)) return false
  if (pattern.path === undefined || globMatches(pattern.path, url.path + url.query)) return true
  return !pattern.strict && globMatches(pattern.path, url.path)
}

/** Where a pattern may be looked up: the host it is for, or below which it reaches. */
export function hostKey(pattern: UrlPattern): { readonly exact?: string; readonly below?: string } {
  if (pattern.host.kind === "exact") return { exact: pattern.host.host }
  return pattern.host.kind === "below" ? { below: pattern.host.host } : {}
}

function hostMatches(pattern: HostPattern, host: string): boolean {
  switch (pattern.kind) {
    case "any":
      return true
    case "exact":
      return host === pattern.host
    case "below":
      return host.length > pattern.host.length + 1 && host.endsWith(`.${pattern.host}`)
    case "beginning":
      return host.startsWith(pattern.text)
    case "labels": {
      const labels = host.split(".")
      const extra = labels.length - pattern.labels.length
      if (pattern.below ? extra < 1 : extra !== 0) return false
      return pattern.labels.every((label, index) => globMatches(label, labels[index + extra]!))
    }
  }
}

function hostPattern(given: string, exact: boolean, cut: boolean): HostPattern | undefined {
  const host = withoutDot(given.toLowerCase())
  if (cut) return host.includes("*") ? { kind: "any" } : { kind: "beginning", text: host }
  if (host === "*" && !exact) return { kind: "any" }
  const below = host.startsWith("*.") && !exact
  const rest = below ? host.slice(2) : host
  if (rest === "") return undefined
  if (exact || !rest.includes("*")) {
    const ascii = asciiHost(rest)
    return ascii === undefined ? undefined : { kind: below ? "below" : "exact", host: ascii }
  }
  const labels = rest.split(".").map((label) => (label.includes("*") ? globOf(label) : [domainToASCII(label) || label]))
  return { kind: "labels", labels, below }
}

/** The host as URLs hold it: IDN in ASCII, addresses in their one form. */
function asciiHost(host: string): string | undefined {
  const url = `http://${host}/`
  if (/[/?#@\\]/.test(host) || !URL.canParse(url)) return undefined
  return withoutDot(new URL(url).hostname)
}

/** Literal, or a leading `*.` before at least two literal labels. */
const soundInAllow = (host: HostPattern) => host.kind === "exact" || (host.kind === "below" && host.host.includes("."))

const defaultPorts: Readonly<Record<string, string>> = { http: "80", https: "443", ws: "80", wss: "443", ftp: "21" }

/** An allow rule without a port is for the scheme's own; a ban without one for all. */
function portOf(port: string | undefined, scheme: string, strict: boolean): string | undefined {
  if (port === undefined) return strict ? "" : undefined
  return Object.hasOwn(defaultPorts, scheme) && defaultPorts[scheme] === port ? "" : port
}

const withoutDot = (host: string) => (host.endsWith(".") ? host.slice(0, -1) : host)

/** Dot segments away, percent-encoding in one form: what needs none has none, hex digits in capitals. */
function normalPath(path: string): string {
  const encoded = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16))
    return /[A-Za-z0-9._~-]/.test(char) ? char : `%${hex.toUpperCase()}`
  })
  if (!/\/\.\.?(?=\/|$)/.test(encoded)) return encoded
  const kept: string[] = []
  const segments = encoded.split("/").slice(1)
  segments.forEach((segment, index) => {
    if (segment === "..") kept.pop()
    if (segment !== "." && segment !== "..") kept.push(segment)
    else if (index === segments.length - 1) kept.push("")
  })
  return `/${kept.join("/")}`
}
