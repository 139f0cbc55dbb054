/** Why an answer was not taken. Nothing is settled by any of them. */
import { Schema } from "effect"

/** Unknown, already decided, cancelled, or the later of two answers. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}, { httpApiStatus: 404 }) {
  override get message() {
    return "ack: confirmation not found"
  }
}

/** An orphan can't be answered before a resume runner is bound. */
export class NotBound extends Schema.TaggedError<NotBound>()("NotBound", {}, { httpApiStatus: 503 }) {
  override get message() {
    return "ack: resume runner not bound"
  }
}

/** The session's run still goes on; `cause` is the runner's own conflict error. */
export class RunActive extends Schema.TaggedError<RunActive>()(
  "RunActive",
  { cause: Schema.Defect() },
  { httpApiStatus: 409 }
) {
  override get message() {
    return "ack: run active on session"
  }
}

/** The answer was made on something else than what is pending. */
export class DigestMismatch extends Schema.TaggedError<DigestMismatch>()("DigestMismatch", {}, { httpApiStatus: 409 }) {
  override get message() {
    return "the digest is not that of the pending call"
  }
}

/** The answer itself is malformed: an unknown word, or edited arguments that don't fit the tool. */
export class InvalidArguments extends Schema.TaggedError<InvalidArguments>()(
  "InvalidArguments",
  { problem: Schema.String },
  {
    httpApiStatus: 400
  }
) {
  override get message() {
    return this.problem
  }
}

/** Who answers may not. */
export class Forbidden extends Schema.TaggedError<Forbidden>()(
  "Forbidden",
  { problem: Schema.String },
  { httpApiStatus: 403 }
) {
  override get message() {
    return this.problem
  }
}

export const DeskError = Schema.Union([NotFound, NotBound, RunActive, DigestMismatch, InvalidArguments, Forbidden])
export type DeskError = typeof DeskError.Type

/** The words that hosts and stories know these by. */
export const errorWord: Readonly<Record<DeskError["_tag"], string>> = {
  NotFound: "not-found",
  NotBound: "not-bound",
  RunActive: "run-active",
  DigestMismatch: "digest-mismatch",
  InvalidArguments: "invalid-arguments",
  Forbidden: "forbidden"
}
