import { z } from 'zod';
import type { Progress } from './delivery-worker';
import { telegramMessages as messages } from './telegram.messages';

/** Telegram counts UTF-16 units, as JavaScript does. */
const LONGEST = 4096;
const DEADLINE = 10_000;

const answerSchema = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).optional(),
});

interface TelegramFailure {
  /** Trying again cannot help until the settings change (400, 401, 403, 404). */
  permanent?: boolean;
  /** Seconds that Telegram asks to wait. */
  retryAfter?: number;
}

/** Telegram's own reason; never holds the token, which is part of the address. */
export class TelegramError extends Error {
  readonly permanent: boolean;
  readonly retryAfter?: number;

  constructor(reason: string, { permanent = false, retryAfter }: TelegramFailure = {}) {
    super(reason);
    this.permanent = permanent;
    this.retryAfter = retryAfter;
  }
}

interface TelegramMessage {
  botToken: string;
  chatId: string;
  text: string;
}

export interface Telegram {
  /**
   * Sends plain text, in several messages when it is long, going on after those that were sent before.
   * @throws TelegramError
   */
  send(message: TelegramMessage, progress?: Progress): Promise<void>;
}

/** Pieces of at most `LONGEST` units that never cut a surrogate pair. */
function split(text: string): string[] {
  if (text.length <= LONGEST) return [text];
  const cutsPair = /[\uD800-\uDBFF]$/.test(text.slice(0, LONGEST));
  const end = cutsPair ? LONGEST - 1 : LONGEST;
  return [text.slice(0, end), ...split(text.slice(end))];
}

/** Bot API `sendMessage`, without `parse_mode`: nothing in a visitor's text is markup. */
export function createTelegram(apiUrl: string): Telegram {
  async function sendOne(botToken: string, chatId: string, text: string): Promise<void> {
    let status: number;
    let body: unknown;
    try {
      const response = await fetch(`${apiUrl.replace(/\/$/, '')}/bot${botToken}/sendMessage`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ chat_id: chatId, text, link_preview_options: { is_disabled: true } }),
        signal: AbortSignal.timeout(DEADLINE),
        redirect: 'error',
      });
      status = response.status;
      body = await response.json();
    } catch (error) {
      if (error instanceof SyntaxError) throw new TelegramError(messages.notUnderstood);
      const timedOut = error instanceof Error && error.name === 'TimeoutError';
      throw new TelegramError(timedOut ? messages.noAnswer : messages.unreachable);
    }
    const answer = answerSchema.safeParse(body);
    if (!answer.success) throw new TelegramError(messages.notUnderstood);
    const { ok, description, parameters } = answer.data;
    if (ok) return;
    const moved = parameters?.migrate_to_chat_id;
    if (moved !== undefined && String(moved) !== chatId) return sendOne(botToken, String(moved), text);
    throw new TelegramError((description ?? `HTTP ${status}`).replaceAll(botToken, '…'), {
      permanent: [400, 401, 403, 404].includes(status),
      retryAfter: parameters?.retry_after,
    });
  }

  return {
    async send({ botToken, chatId, text }, progress) {
      for (const piece of split(text).slice(progress?.piecesSent)) {
        await sendOne(botToken, chatId, piece);
        await progress?.advance();
      }
    },
  };
}
