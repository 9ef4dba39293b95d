import {
  type ContactValues,
  checkContactValues,
  cleanContactValues,
} from '../../core/contact/contact-message.ts';
import type { FormAttempt, FormGate, FormOutcome } from './form-gate.ts';

/** One attempt to send a message. */
export interface ContactAttempt extends Omit<FormAttempt, 'errors' | 'event'> {
  readonly values: ContactValues;
  /** Keys of the topics that the form offers. */
  readonly topics: readonly string[];
  /** Path of the page. */
  readonly page: string;
}

/** Takes messages to the operator, keeps spam out, and stores them as events. */
export interface ContactService {
  issueToken(): string;
  submit(attempt: ContactAttempt): Promise<FormOutcome>;
}

/** Creates the service over the gate that every form passes. */
export function createContactService(gate: FormGate): ContactService {
  return {
    issueToken: () => gate.issueToken(),
    submit({ values, topics, page, ...attempt }) {
      const data = { ...cleanContactValues(values) };
      return gate.submit({
        ...attempt,
        errors: { ...checkContactValues(values, topics) },
        event: { name: 'contact_message', page, label: data.topic, data },
      });
    },
  };
}
