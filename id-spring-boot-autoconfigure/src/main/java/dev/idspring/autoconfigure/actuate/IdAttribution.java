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
 * Finds the generators that could have made an id. Consumes nothing, and does the same
 * bounded work for whatever it is given.
 * <p>
 * Evidence for a generator is only what few ids of others have by accident:
 * <ul>
 * <li>The tag of a UUID, which is more than forty bits of a hash.</li>
 * <li>A prefix, or letters of a pattern: users choose them to tell ids apart.</li>
 * <li>A check character, of which one in as many is right as there are characters. One of
 * ten digits is right too often.</li>
 * <li>That the number is reserved, if a secret permutes numbers and few texts are those
 * of reserved ones. The secret itself is none: every text stands for a number.</li>
 * </ul>
 * That a number is reserved is no evidence without a secret, as other counters have made
 * the same numbers, and other applications with the same settings the same keys. Nor is
 * the width of a text, or a time that has passed.
 *
 * @param generators the generators that are open
 * @param scoped those whose numbers have scopes, of which only the texts tell anything
 * @param timeout how long all of them together wait for the store
 */
record IdAttribution(OpenGenerators generators, List<ManagedScopedIdGenerator> scoped, Duration timeout) {

	/** Room for a scope, which is written twice at most. */
	private static final int LONGEST = 1_200;

	/** How many characters must be possible, so that the right one is evidence. */
	private static final int CHECK_CHARACTERS = 20;

	/** One text in as many may be that of a reserved number, so that this is evidence. */
	private static final double SPARSE = 1_000;

	private static final int DEFAULT_RADIX = 62;

	/** Without signs, leading zeros and digits of other scripts. */
	private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,19}");

	private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

	/** How far ahead of our clock other instances may be. */
	private static final Duration TOLERANCE = Duration.ofMinutes(5);

	CandidatesDescriptor of(String id) {
		List<Candidate> candidates = new ArrayList<>();
		if (id.length() <= LONGEST) {
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
	 * Read an id in the first form that fits.
	 * @throws IllegalArgumentException if it is no id of the generator; the message says
	 * why
	 */
	static Reading read(IdGenerator generator, String id) {
		try {
			return new Reading(Form.TEXT, generator.parse(id));
		}
		catch (IllegalArgumentException noText) {
			if (UUID.matcher(id).matches()) {
				return new Reading(Form.UUID, generator.fromUuid(java.util.UUID.fromString(id)));
			}
			if (!NUMBER.matcher(id).matches()) {
				throw noText;
			}
			long number = number(id, noText);
			generator.format(number);
			return new Reading(Form.NUMBER, number);
		}
	}

	private static long number(String id, IllegalArgumentException noText) {
		try {
			return Long.parseUnsignedLong(id);
		}
		catch (NumberFormatException ex) {
			throw noText;
		}
	}

	private static Candidate candidate(IdGenerator generator, String given, Reading reading, Deadline deadline) {
		IdDescription description = describe(generator, reading.number(), deadline.remaining());
		List<String> matched = matched(generator, given, reading.form(), description);
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
			matched.add("check");
		}
		return new Candidate(generator.name(), Form.TEXT, Confidence.of(found.id(), Form.TEXT, matched), matched,
				IdDescriptor.of(found.id()), found.scope(), found.period());
	}

	static IdDescription describe(IdGenerator generator, long number, Duration timeout) {
		return (generator instanceof ManagedIdGenerator managed) ? managed.describe(number, timeout)
				: generator.describe(number);
	}

	private static List<String> matched(IdGenerator generator, String given, Form form, IdDescription description) {
		List<String> matched = new ArrayList<>();
		if (form == Form.UUID) {
			matched.add("tag");
		}
		if (form == Form.TEXT && generator instanceof ManagedIdGenerator managed) {
			TextSettings text = managed.text();
			if (!text.prefix().isEmpty()) {
				matched.add("prefix");
			}
			if (text.check() && lastCharacters(managed, given) >= CHECK_CHARACTERS) {
				matched.add("check");
			}
			if (!text.secrets().isEmpty() && Boolean.TRUE.equals(description.reserved())
					&& reserved(managed, description) * SPARSE <= texts(text, given)) {
				matched.add("reserved");
			}
		}
		return matched;
	}

	/**
	 * Return how many characters may stand at the end of a text.
	 */
	private static long lastCharacters(ManagedIdGenerator generator, String given) {
		Pattern pattern = Pattern.compile(generator.textPattern());
		String begin = given.substring(0, given.length() - 1);
		return IntStream.rangeClosed('!', '~')
			.filter((character) -> pattern.matcher(begin + (char) character).matches())
			.count();
	}

	private static double reserved(ManagedIdGenerator generator, IdDescription description) {
		Long ordinal = description.ordinal();
		return Math.max(generator.snapshot().keySpace().reserved().doubleValue(), (ordinal != null) ? ordinal + 1 : 0);
	}

	/**
	 * Return how many texts of the same length there are.
	 */
	private static double texts(TextSettings text, String given) {
		int digits = given.length() - text.prefix().length() - (text.check() ? 1 : 0);
		return Math.pow((text.alphabet() != null) ? text.alphabet().size() : DEFAULT_RADIX, digits);
	}

	/**
	 * What an id was read as.
	 */
	record Reading(Form form, long number) {

	}

	/**
	 * The forms of an id.
	 */
	enum Form {

		/** The text form of the generator. */
		TEXT,

		/** The numeric form. */
		NUMBER,

		/** The UUID. */
		UUID

	}

	/**
	 * How sure it is that a generator made an id, the surest first.
	 */
	enum Confidence {

		/** No other generator makes this UUID. */
		CERTAIN,

		/** The text has what few others have. */
		LIKELY,

		/** It is an id of the key space. */
		POSSIBLE,

		/** It is one that is not reserved yet, or of a time to come. */
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
	 * The generators that could have made an id.
	 *
	 * @param candidates the generators, the surest first
	 */
	public record CandidatesDescriptor(List<Candidate> candidates) implements OperationResponseBody {

	}

	/**
	 * A generator that could have made an id.
	 *
	 * @param generator its name
	 * @param form what the id was read as
	 * @param confidence how sure it is
	 * @param matched what the id has that few others do
	 * @param id what the id tells
	 * @param scope the scope of the number, {@code null} if there is none or the text
	 * does not tell it
	 * @param period the period of the number, {@code null} if there is no scope
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public record Candidate(String generator, Form form, Confidence confidence, List<String> matched, IdDescriptor id,
			@Nullable String scope, @Nullable String period) {

	}

}
