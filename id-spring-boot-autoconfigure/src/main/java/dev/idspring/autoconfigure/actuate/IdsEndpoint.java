package dev.idspring.autoconfigure.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdStoreUnavailableException;
import dev.idspring.InvalidSettingException;
import dev.idspring.autoconfigure.actuate.IdAttribution.CandidatesDescriptor;
import dev.idspring.autoconfigure.actuate.IdAttribution.Reading;
import dev.idspring.autoconfigure.actuate.IdsEndpointWebExtension.NotFoundDescriptor;
import dev.idspring.autoconfigure.actuate.ScopedDescriptor.ScopePage;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.monitor.ManagedScopedIdGenerator;
import dev.idspring.monitor.ManagedScopedIdGenerator.ScopedDescription;
import dev.idspring.monitor.ScopedSnapshot.ScopeState;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.KeySpaceStore.StoreDescription;
import dev.idspring.text.IdScope;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * {@link Endpoint @Endpoint} that shows the state of the generators, how many ids are
 * left, and the content of an id. All operations are read-only and consume no ids.
 *
 * @since 0.1.0
 */
@Endpoint(id = "ids")
@SuppressWarnings("deprecation") // Spring Boot 3.5 recognizes optional parameters by
									// Spring's own @Nullable
public class IdsEndpoint {

	/**
	 * How long to wait for the store before showing the last known state.
	 */
	private static final Duration REFRESH_TIMEOUT = Duration.ofSeconds(1);

	/** The name that selects the key columns. No configured generator can have it. */
	private static final String COLUMNS = "columns";

	/**
	 * How long to wait for the description of columns. Reading the catalogue of a large
	 * schema takes longer than reading a row.
	 */
	private static final Duration COLUMNS_TIMEOUT = Duration.ofSeconds(10);

	/** How many of the scopes with the highest numbers to show. */
	private static final int BUSIEST_COUNT = 10;

	private static final int PAGE_SIZE = 100;

	private final OpenGenerators generators;

	private final @Nullable KeySpaceStore store;

	private final List<ManagedScopedIdGenerator> scoped;

	private final @Nullable WatchedColumns columns;

	private final String strategyOfUnused;

	/**
	 * Create an endpoint.
	 * @param generators the generators to show
	 * @param store the store of their key spaces, or {@code null} if there is none
	 */
	public IdsEndpoint(IdGenerators generators, @Nullable KeySpaceStore store) {
		this(generators, store, List.of(), null, "coprime");
	}

	/**
	 * Create an endpoint.
	 * @param generators the generators to show
	 * @param store the store of their key spaces, or {@code null} if there is none
	 * @param scoped the scoped generators to show, which number each scope, such as a
	 * tenant, separately
	 * @param columns the key columns of tables, or {@code null} if they are not watched
	 * @param strategyOfUnused the strategy to show for generators that have not been used
	 * yet
	 */
	public IdsEndpoint(IdGenerators generators, @Nullable KeySpaceStore store, List<ManagedScopedIdGenerator> scoped,
			@Nullable WatchedColumns columns, String strategyOfUnused) {
		InvalidSettingException.requireGiven(IdsEndpoint.class, "generators", generators);
		InvalidSettingException.requireGiven(IdsEndpoint.class, "scoped", scoped);
		this.columns = columns;
		this.generators = new OpenGenerators(generators);
		this.strategyOfUnused = strategyOfUnused;
		this.scoped = List.copyOf(scoped);
		this.store = store;
	}

	/**
	 * Describe the store and all generators. If an id is given, return instead the
	 * generators that could have created it.
	 * @param id an id as text, number or UUID, or {@code null}
	 * @return an {@link IdsDescriptor}, or the generators that could have created the id,
	 * most likely first
	 */
	@ReadOperation
	@RegisterReflectionForBinding({ IdsDescriptor.class, CandidatesDescriptor.class })
	public OperationResponseBody ids(@org.springframework.lang.Nullable @Nullable String id) {
		return (id != null) ? new IdAttribution(this.generators, this.scoped, REFRESH_TIMEOUT).of(id) : ids();
	}

	/**
	 * Describe the store and all generators.
	 * @return the description
	 */
	public IdsDescriptor ids() {
		CompletableFuture<?>[] refreshes = this.scoped.stream()
			.map((generator) -> generator.refresh(REFRESH_TIMEOUT))
			.toArray(CompletableFuture[]::new);
		Map<String, GeneratorSnapshot> snapshots = snapshots(this.generators.managed());
		CompletableFuture.allOf(refreshes).join();
		Map<String, ScopedDescriptor> scoped = new LinkedHashMap<>();
		this.scoped
			.forEach((generator) -> scoped.put(generator.name(), ScopedDescriptor.of(generator.snapshot(), null)));
		Map<String, GeneratorDescriptor> descriptors = new LinkedHashMap<>();
		this.generators.unused()
			.forEach((name) -> descriptors.put(name, GeneratorDescriptor.unused(this.strategyOfUnused)));
		snapshots.forEach((name, snapshot) -> descriptors.put(name, GeneratorDescriptor.of(snapshot)));
		boolean failing = snapshots.values().stream().anyMatch((snapshot) -> snapshot.storeFailure() != null)
				|| scoped.values().stream().anyMatch((descriptor) -> descriptor.lastError() != null);
		return new IdsDescriptor(StoreDescriptor.of(this.store, snapshots.isEmpty(), failing), descriptors, scoped);
	}

	/**
	 * Describe one generator, or some of its scopes if it is scoped. For the name
	 * {@code columns}, describe the key columns of tables if they are watched.
	 * @param name the name of the generator
	 * @param scope the name of the scope to describe, or {@code null}
	 * @param period the name of a period, or {@code null} for the current one. A period
	 * without a scope requests a page of the scopes of that period
	 * @param after requests a page of scopes: a dash for the first page, otherwise the
	 * {@code after} value of the previous page
	 * @return the description, or {@code null} if there is no such generator or scope, if
	 * the generator does not report its state, or if the columns are not watched
	 */
	@ReadOperation
	@RegisterReflectionForBinding({ GeneratorDescriptor.class, ScopedDescriptor.class, ScopePage.class })
	public @Nullable OperationResponseBody generator(@Selector String name,
			@org.springframework.lang.Nullable @Nullable String scope,
			@org.springframework.lang.Nullable @Nullable String period,
			@org.springframework.lang.Nullable @Nullable String after) {
		if (name.equals(COLUMNS)) {
			return (this.columns != null) ? this.columns.describe(COLUMNS_TIMEOUT) : null;
		}
		ManagedScopedIdGenerator generator = findScoped(knownName(name));
		if (generator == null) {
			return generator(name);
		}
		try {
			return scoped(generator, scope, period, after);
		}
		catch (IllegalArgumentException ex) {
			throw invalidRequest(ex);
		}
	}

	private List<String> knownNames() {
		return Stream
			.concat(this.generators.all().names().stream(), this.scoped.stream().map(ManagedScopedIdGenerator::name))
			.distinct()
			.toList();
	}

	/**
	 * Return the configured spelling of a generator's name. Like
	 * {@link IdGenerators#get}, this method ignores case, dashes and underscores unless
	 * they distinguish generators.
	 */
	private String knownName(String name) {
		List<String> matches = knownNames().stream().filter((known) -> uniform(known).equals(uniform(name))).toList();
		return (matches.size() == 1) ? matches.get(0) : name;
	}

	private static String uniform(String name) {
		return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
	}

	private @Nullable ManagedScopedIdGenerator findScoped(String name) {
		return this.scoped.stream().filter((generator) -> generator.name().equals(name)).findAny().orElse(null);
	}

	private static @Nullable OperationResponseBody scoped(ManagedScopedIdGenerator generator, @Nullable String scope,
			@Nullable String period, @Nullable String after) {
		List<ScopeState> busiest = null;
		try {
			if (scope != null) {
				ScopeState state = generator.scope(period, IdScope.parts(scope), REFRESH_TIMEOUT);
				return (state != null) ? ScopedDescriptor.Scope.of(state) : null;
			}
			if (after != null || period != null) {
				return ScopePage.of(generator.scopes(period, (after != null) ? after : "-", PAGE_SIZE, REFRESH_TIMEOUT),
						PAGE_SIZE);
			}
			busiest = generator.scopes(period, null, BUSIEST_COUNT, REFRESH_TIMEOUT);
		}
		catch (IdStoreUnavailableException ex) {
			// the snapshot reports why the store failed
		}
		generator.refresh(REFRESH_TIMEOUT).join();
		return ScopedDescriptor.of(generator.snapshot(), busiest);
	}

	/**
	 * Describe a generator that has no scopes.
	 * @param name the name of the generator
	 * @return the description, or {@code null} if there is no such generator, or if it
	 * does not report its state
	 */
	public @Nullable GeneratorDescriptor generator(String name) {
		String knownName = knownName(name);
		if (this.generators.unused().contains(knownName)) {
			return GeneratorDescriptor.unused(this.strategyOfUnused);
		}
		return this.generators.managed()
			.stream()
			.filter((generator) -> generator.name().equals(knownName))
			.findAny()
			.map((generator) -> snapshots(List.of(generator)).get(knownName))
			.map(GeneratorDescriptor::of)
			.orElse(null);
	}

	/**
	 * Describe the content of an id.
	 * @param name the name of the generator
	 * @param id the id in its text form. A generator without scopes also accepts a number
	 * or a UUID, but tries the text form first
	 * @return the description, or {@code null} if no generator with this name has been
	 * used yet
	 */
	@ReadOperation
	public @Nullable IdDescriptor id(@Selector String name, @Selector String id) {
		String knownName = knownName(name);
		ManagedScopedIdGenerator scopedGenerator = findScoped(knownName);
		if (scopedGenerator != null) {
			return scopedGenerator.describe(id, REFRESH_TIMEOUT)
				.map(IdDescriptor::of)
				.orElseThrow(() -> invalidRequest(new IllegalArgumentException(
						"The string is not the text form of a number of id generator '" + knownName + "'")));
		}
		IdGenerator generator = this.generators.find(knownName).orElse(null);
		if (generator == null) {
			return null;
		}
		try {
			Reading reading = IdAttribution.read(generator, id);
			return IdDescriptor.of(IdAttribution.describe(generator, reading.number(), REFRESH_TIMEOUT));
		}
		catch (IllegalArgumentException ex) {
			throw invalidRequest(ex);
		}
	}

	NotFoundDescriptor notFound(String requestedName) {
		List<String> knownNames = knownNames();
		String name = knownName(requestedName);
		String message = knownNames.contains(name) ? "Id generator '" + name + "' has no such scope"
				: "There is no id generator with this name";
		if (this.generators.find(name).isPresent()) {
			message = "Id generator '" + name + "' is a bean of the application, which does not report its state";
		}
		if (this.generators.unused().contains(name)) {
			message = "Id generator '" + name + "' has not been used yet, so it cannot read ids";
		}
		if (requestedName.equals(COLUMNS)) {
			message = "Columns are not watched: set ids.columns.watch=true";
		}
		return new NotFoundDescriptor(message, knownNames);
	}

	private static InvalidEndpointRequestException invalidRequest(IllegalArgumentException cause) {
		String message = String.valueOf(cause.getMessage());
		return new InvalidEndpointRequestException(message, message);
	}

	/**
	 * Take snapshots of generators. All generators query the store at the same time, so a
	 * store that does not respond delays the caller by only one timeout.
	 */
	private static Map<String, GeneratorSnapshot> snapshots(List<ManagedIdGenerator> generators) {
		CompletableFuture
			.allOf(generators.stream()
				.map((generator) -> generator.refresh(REFRESH_TIMEOUT))
				.toArray(CompletableFuture[]::new))
			.join();
		Map<String, GeneratorSnapshot> snapshots = new LinkedHashMap<>();
		generators.forEach((generator) -> snapshots.put(generator.name(), generator.snapshot()));
		return snapshots;
	}

	/**
	 * All generators and their store.
	 *
	 * @param store the store
	 * @param generators the generators by name
	 * @param scoped the generators that number each scope separately, by name
	 */
	public record IdsDescriptor(StoreDescriptor store, Map<String, GeneratorDescriptor> generators,
			@JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, ScopedDescriptor> scoped)
			implements
				OperationResponseBody {

	}

	/**
	 * The store of the key spaces.
	 *
	 * @param type the kind of store
	 * @param database the name of the database product, or {@code null} if there is none
	 * @param status {@code DOWN} if a query to the store failed, otherwise {@code UP}
	 * @param warnings risks that the application cannot prevent, such as the loss of
	 * reservations
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record StoreDescriptor(String type, @Nullable String database, String status, List<String> warnings) {

		private static final String NO_STORE = "There is no store: ids repeat if two instances have the"
				+ " same node number, or after a restart if the clock was set back.";

		private static StoreDescriptor of(@Nullable KeySpaceStore store, boolean unused, boolean failing) {
			StoreDescription description = (store != null) ? store.describe()
					: new StoreDescription("none", null, unused ? List.of() : List.of(NO_STORE));
			return new StoreDescriptor(description.type(), description.database(), failing ? "DOWN" : "UP",
					description.warnings());
		}

	}

	/**
	 * The content of an id. Ids are strings, because JavaScript cannot represent every
	 * {@code long}.
	 *
	 * @param id the numeric form
	 * @param text the text form
	 * @param ordinal the position in the order in which ids are issued; only for counters
	 * @param reserved whether the id is already reserved, or {@code null} if the store
	 * does not answer or the scope is unknown; only for counters
	 * @param time the instant in the id; only for time-based strategies
	 * @param node the node that created the id; only for time-based strategies
	 * @param tail the number that distinguishes ids of the same node and instant; only
	 * for time-based strategies
	 * @param scope the scope of the number; only for scoped numbers whose text form
	 * contains it
	 * @param period the period of the number; only for scoped numbers, and only if the
	 * text form shows it or numbers never restart
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public record IdDescriptor(String id, String text, @Nullable Long ordinal, @Nullable Boolean reserved,
			@Nullable Instant time, @Nullable Long node, @Nullable Long tail, @Nullable String scope,
			@Nullable String period) implements OperationResponseBody {

		static IdDescriptor of(IdDescription description) {
			return of(description, null, null);
		}

		private static IdDescriptor of(ScopedDescription number) {
			return of(number.id(), number.scope(), number.period());
		}

		private static IdDescriptor of(IdDescription description, @Nullable String scope, @Nullable String period) {
			return new IdDescriptor(Long.toUnsignedString(description.id()), description.text(), description.ordinal(),
					description.reserved(), description.time(), description.node(), description.tail(), scope, period);
		}

	}

}
