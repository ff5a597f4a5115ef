package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.autoconfigure.actuate.IdsEndpoint.IdDescriptor;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.monitor.ManagedScopedIdGenerator.ScopedDescription;
import dev.idspring.text.TextSettings;
import dev.idspring.worker.Deadline;
import dev.idspring.worker.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Finds the generators that could have created an id. The search draws no id, and its
 * cost is bounded for every input.
 * <p>
 * A feature of an id counts as evidence for a generator only if few ids of other
 * generators share it by chance:
 * <ul>
 * <li>The tag of a UUID: more than 40 bits of a hash of the generator's UUID identity and
 * the number.</li>
 * <li>A prefix, or the letters of a pattern, because users choose them to distinguish
 * ids.</li>
 * <li>A check character, if many characters are possible, because only one of them is
 * correct. A check digit is not evidence, because one of ten digits is correct by
 * chance.</li>
 * <li>A reserved number, if a secret scatters the numbers over all strings, and only few
 * of the strings represent reserved numbers. The secret alone is not evidence, because
 * every string represents some number.</li>
 * </ul>
 * Without a secret, a reserved number is not evidence, because other generators issue the
 * same numbers. Neither the length of a string nor a time in the past is evidence.
 *
 * @param generators the generators that are open
 * @param scoped the generators with a separate sequence for each scope; only the text
 * form of their ids is recognized
 * @param timeout the total time to wait for the store, for all generators together
 */
record IdAttribution(OpenGenerators generators, List<ManagedScopedIdGenerator> scoped, Duration timeout) {

	/**
	 * The maximum length of the ids that are searched for. It suffices for a text form
	 * that contains a scope, for example a tenant, twice.
	 */
	private static final int MAX_LENGTH = 1_200;

	/** A check character is evidence if at least this many characters are possible. */
	private static final int MIN_CHECK_CHARACTERS = 20;

	/**
	 * A reserved number is evidence if at most one in this many strings represents a
	 * reserved number.
	 */
	private static final double MIN_STRINGS_PER_NUMBER = 1_000;

	private static final int DEFAULT_RADIX = 62;

	/** Accepts only digits from 0 to 9, without leading zeros. */
	private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,19}");

	private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

	/** How far the clocks of other instances may be ahead of the clock of this one. */
	private static final Duration TOLERANCE = Duration.ofMinutes(5);

	CandidatesDescriptor of(String id) {
		List<Candidate> candidates = new ArrayList<>();
		if (id.length() <= MAX_LENGTH) {
			Deadline deadline = Deadline.after(TimeSource.system(), this.timeout);
			this.generators.stream()
				.forEach(
						(generator) -> find(generator, id).map((reading) -> candidate(generator, id, reading, deadline))
							.ifPresent(candidates::add));
			for (ManagedScopedIdGenerator generator : this.scoped) {
				generator.describe(id, deadline.remaining())
					.map((found) -> candidate(generator, found))
					.ifPresent(candidates::add);
			}
		}
		candidates.sort(Comparator.comparing(Candidate::confidence)
			.thenComparing((candidate) -> candidate.matched().size(), Comparator.reverseOrder()));
		return new CandidatesDescriptor(List.copyOf(candidates));
	}

	private static Optional<Reading> find(IdGenerator generator, String id) {
		try {
			return Optional.of(read(generator, id));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Read an id as text, as a UUID or as a number, whichever matches first.
	 * @throws IllegalArgumentException if the input is not an id of the generator; the
	 * message gives the reason
	 */
	static Reading read(IdGenerator generator, String id) {
		try {
			return new Reading(Form.TEXT, generator.parse(id));
		}
		catch (IllegalArgumentException textFailure) {
			if (UUID.matcher(id).matches()) {
				return new Reading(Form.UUID, generator.fromUuid(java.util.UUID.fromString(id)));
			}
			if (!NUMBER.matcher(id).matches()) {
				throw textFailure;
			}
			long number = number(id, textFailure);
			generator.format(number);
			return new Reading(Form.NUMBER, number);
		}
	}

	private static long number(String id, IllegalArgumentException textFailure) {
		try {
			return Long.parseUnsignedLong(id);
		}
		catch (NumberFormatException ex) {
			throw textFailure;
		}
	}

	private static Candidate candidate(IdGenerator generator, String input, Reading reading, Deadline deadline) {
		IdDescription description = describe(generator, reading.number(), deadline.remaining());
		List<String> matched = evidence(generator, input, reading.form(), description);
		return new Candidate(generator.name(), reading.form(), Confidence.of(description, reading.form(), matched),
				matched, IdDescriptor.of(description), null, null);
	}

	private static Candidate candidate(ManagedScopedIdGenerator generator, ScopedDescription found) {
		List<String> matched = new ArrayList<>();
		if (!generator.text().prefix().isEmpty()) {
			matched.add("prefix");
		}
		if (generator.pattern().hasLetters()) {
			matched.add("pattern");
		}
		if (generator.text().check()) {
			// always evidence, because 36 characters are possible
			matched.add("check");
		}
		return new Candidate(generator.name(), Form.TEXT, Confidence.of(found.id(), Form.TEXT, matched), matched,
				IdDescriptor.of(found.id()), found.scope(), found.period());
	}

	static IdDescription describe(IdGenerator generator, long number, Duration timeout) {
		try {
			return (generator instanceof ManagedIdGenerator managed) ? managed.describe(number, timeout)
					: generator.describe(number);
		}
		catch (IllegalStateException ex) {
			// a generator of the application may fail if its store does not answer
			return new IdDescription(number, generator.format(number), null, null, null, null, null);
		}
	}

	private static List<String> evidence(IdGenerator generator, String input, Form form, IdDescription description) {
		List<String> matched = new ArrayList<>();
		if (form == Form.UUID) {
			matched.add("tag");
		}
		if (form == Form.TEXT && generator instanceof ManagedIdGenerator managed) {
			TextSettings text = managed.text();
			if (!text.prefix().isEmpty()) {
				matched.add("prefix");
			}
			if (text.check() && countLastCharacters(managed, input) >= MIN_CHECK_CHARACTERS) {
				matched.add("check");
			}
			if (!text.secrets().isEmpty() && Boolean.TRUE.equals(description.reserved())
					&& countReserved(managed, description) * MIN_STRINGS_PER_NUMBER <= countStrings(text, input)) {
				matched.add("reserved");
			}
		}
		return matched;
	}

	/**
	 * Return how many characters the generator allows in place of the last character of a
	 * string.
	 */
	private static long countLastCharacters(ManagedIdGenerator generator, String input) {
		Pattern pattern = Pattern.compile(generator.textPattern());
		String beginning = input.substring(0, input.length() - 1);
		return IntStream.rangeClosed('!', '~')
			.filter((character) -> pattern.matcher(beginning + (char) character).matches())
			.count();
	}

	private static double countReserved(ManagedIdGenerator generator, IdDescription description) {
		Long ordinal = description.ordinal();
		return Math.max(generator.snapshot().keySpace().reserved().doubleValue(), (ordinal != null) ? ordinal + 1 : 0);
	}

	/**
	 * Return the number of possible strings that are as long as the input.
	 */
	private static double countStrings(TextSettings text, String input) {
		int digits = input.length() - text.prefix().length() - (text.check() ? 1 : 0);
		return Math.pow((text.alphabet() != null) ? text.alphabet().size() : DEFAULT_RADIX, digits);
	}

	/**
	 * An id as a number, and the form in which it was given.
	 */
	record Reading(Form form, long number) {

	}

	/**
	 * The form in which an id is given.
	 */
	enum Form {

		/** The text form of the generator. */
		TEXT,

		/** A number. */
		NUMBER,

		/** A UUID. */
		UUID

	}

	/**
	 * The confidence that a generator created an id, in descending order.
	 */
	enum Confidence {

		/** The UUID has the tag of this generator. */
		CERTAIN,

		/** The string has a feature that few ids of other generators have. */
		LIKELY,

		/** The id belongs to the key space, but no feature is evidence. */
		POSSIBLE,

		/** The id is not reserved yet, or its time is in the future. */
		UNLIKELY;

		static Confidence of(IdDescription id, Form form, List<String> matched) {
			Instant time = id.time();
			Instant latest = TimeSource.system().instant().plus(TOLERANCE);
			if (Boolean.FALSE.equals(id.reserved()) || (time != null && time.isAfter(latest))) {
				return UNLIKELY;
			}
			return (form == Form.UUID) ? CERTAIN : matched.isEmpty() ? POSSIBLE : LIKELY;
		}

	}

	/**
	 * The generators that could have created an id.
	 *
	 * @param candidates the generators, most likely first
	 */
	public record CandidatesDescriptor(List<Candidate> candidates) implements OperationResponseBody {

	}

	/**
	 * A generator that could have created an id.
	 *
	 * @param generator the name of the generator
	 * @param form the form in which the id was read
	 * @param confidence the confidence that this generator created the id
	 * @param matched the evidence for this generator
	 * @param id the content of the id
	 * @param scope the scope of the number, or {@code null} if the text form contains no
	 * scope
	 * @param period the period of the number, or {@code null} if the text form lacks the
	 * date of the period, or the generator has no scopes
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public record Candidate(String generator, Form form, Confidence confidence, List<String> matched, IdDescriptor id,
			@Nullable String scope, @Nullable String period) {

	}

}
