package dev.idspring.autoconfigure.actuate;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.ScopedSnapshot;
import dev.idspring.monitor.ScopedSnapshot.ScopeState;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The state of a scoped generator, as the {@code ids} endpoint shows it. Such a generator
 * numbers each scope separately.
 *
 * @param strategy the name of the strategy
 * @param status the status of the generator
 * @param definition the settings that determine the numbers and their text form
 * @param keySpace the name of the key space in its store
 * @param period the current period by the clock of the store, or a dash if numbers never
 * restart
 * @param scopes the number of scopes that all instances have used in this period, as last
 * read from the store
 * @param maxScopes the maximum number of scopes per period
 * @param draws the number of successful draws by this instance
 * @param failures the number of draws by this instance that failed because of the store
 * @param lastDrawAt when the last draw by this instance succeeded, or {@code null} if
 * none has succeeded yet
 * @param lastDrawMillis the duration of the last successful draw in milliseconds, or
 * {@code null} if none has succeeded yet
 * @param lastError why the last attempt to read the number of scopes failed, or
 * {@code null} if it succeeded
 * @param busiest the scopes with the highest numbers, or {@code null} in the description
 * of all generators, or if the store did not answer
 * @since 0.1.0
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ScopedDescriptor(String strategy, GeneratorStatus status, String definition, String keySpace,
		String period, long scopes, long maxScopes, long draws, long failures, @Nullable Instant lastDrawAt,
		@Nullable Double lastDrawMillis, @Nullable String lastError,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Scope> busiest) implements OperationResponseBody {

	static ScopedDescriptor of(ScopedSnapshot snapshot, @Nullable List<ScopeState> busiest) {
		return new ScopedDescriptor(snapshot.strategy(), snapshot.status(), snapshot.definition(), snapshot.keySpace(),
				snapshot.period(), snapshot.scopes(), snapshot.maxScopes(), snapshot.draws(), snapshot.failures(),
				snapshot.lastDrawAt(),
				(snapshot.lastDrawTook() != null) ? snapshot.lastDrawTook().toNanos() / 1_000 / 1_000.0 : null,
				snapshot.storeFailure(), (busiest != null) ? busiest.stream().map(Scope::of).toList() : null);
	}

	/**
	 * One scope in one period.
	 *
	 * @param name the parts of the scope, separated by slashes; a backslash escapes a
	 * slash or a backslash inside a part
	 * @param next the next number of the scope
	 */
	public record Scope(String name, String next) implements OperationResponseBody {

		static Scope of(ScopeState state) {
			return new Scope(state.name(), Long.toString(state.next()));
		}

	}

	/**
	 * A page of the scopes of a period. The order of the scopes has no meaning.
	 *
	 * @param scopes the scopes
	 * @param after the {@code after} value that requests the next page, or {@code null}
	 * if this page is not full and is therefore the last one. The page after a full page
	 * may be empty
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record ScopePage(List<Scope> scopes, @Nullable String after) implements OperationResponseBody {

		static ScopePage of(List<ScopeState> states, int size) {
			String after = (states.size() == size) ? states.get(size - 1).key() : null;
			return new ScopePage(states.stream().map(Scope::of).toList(), after);
		}

	}

}
