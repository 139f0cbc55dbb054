/** Where the checklist's calls are made: a project without links, trust or settings of its own. */
import type { Place, Surroundings } from "@countersign/kernel"

/** Where rules are compiled. */
export const place: Place = {
  project: "/repo",
  home: "/home/user",
  files: { readLink: () => undefined },
  caseInsensitive: false,
  dialectOf: () => "native"
}

/** Where calls are read: in the project's folder. */
export const surroundings: Surroundings = {
  folder: place.project,
  project: place.project,
  home: place.home,
  additionalDirectories: [],
  ownPaths: [],
  files: place.files,
  caseInsensitive: place.caseInsensitive
}
