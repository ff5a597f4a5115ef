package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
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
 *
 * @param generators the generators
 * @param scoped those whose numbers have scopes, of which only the texts tell anything
 * @param timeout how long all of them together wait for the store
 */
record IdAttribution(IdGenerators generators, List<ManagedScopedIdGenerator> scoped, Duration timeout) {

	/** Room for a scope, which is written twice at most. */
	private static final int LONGEST = 1_200;

	private static final Pattern DIGITS = Pattern.compile("[0-9]*");

	/** Without signs, leading zeros and digits of other scripts. */
	private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,19}");

	private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

	/** How far ahead of our clock other instances may be. */
	private static final Duration TOLERANCE = Duration.ofMinutes(5);

	CandidatesDescriptor of(String id) {
		List<Candidate> candidates = new ArrayList<>();
		if (id.length() <= LONGEST) {
			Deadline deadline = Deadline.after(TimeSource.system(), this.timeout);
			for (String name : this.generators.names()) {
				IdGenerator generator = this.generators.get(name);
				find(generator, id).map((reading) -> candidate(generator, reading, deadline))
					.ifPresent(candidates::add);
			}
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

	private static Candidate candidate(IdGenerator generator, Reading reading, Deadline deadline) {
		IdDescription description = describe(generator, reading.number(), deadline.remaining());
		List<String> matched = matched(generator, reading.form());
		return new Candidate(generator.name(), reading.form(), Confidence.of(description, reading.form(), matched),
				matched, IdDescriptor.of(description), null, null);
	}

	private static Candidate candidate(ManagedScopedIdGenerator generator, ScopedDescription found) {
		List<String> matched = DIGITS.matcher(found.id().text()).matches() ? List.of() : List.of("pattern");
		return new Candidate(generator.name(), Form.TEXT, Confidence.of(found.id(), Form.TEXT, matched), matched,
				IdDescriptor.of(found.id()), found.scope(), found.period());
	}

	static IdDescription describe(IdGenerator generator, long number, Duration timeout) {
		return (generator instanceof ManagedIdGenerator managed) ? managed.describe(number, timeout)
				: generator.describe(number);
	}

	private static List<String> matched(IdGenerator generator, Form form) {
		List<String> matched = new ArrayList<>();
		if (form == Form.UUID) {
			matched.add("tag");
		}
		if (generator instanceof ManagedIdGenerator managed && form != Form.NUMBER) {
			TextSettings text = managed.text();
			if (form == Form.TEXT && !text.prefix().isEmpty()) {
				matched.add("prefix");
			}
			if (form == Form.TEXT && text.check()) {
				matched.add("check");
			}
			if (!text.secrets().isEmpty()) {
				matched.add("secret");
			}
		}
		return matched;
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

		/**
		 * What few others have is there: a prefix, a pattern, a check character, a
		 * secret.
		 */
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
