package dev.idspring.monitor;

import java.util.ArrayList;
import java.util.List;

import dev.idspring.InvalidSettingException;
import dev.idspring.monitor.IdGeneratorListener.Listeners;
import dev.idspring.worker.TimeSource;

/**
 * What the builders of all generators have in common.
 *
 * @param <B> the type of the builder itself
 * @since 0.1.0
 */
public abstract class IdGeneratorBuilder<B extends IdGeneratorBuilder<B>> {

	private final String name;

	private final String strategy;

	private String keySpaceName;

	private LowThreshold lowThreshold = LowThreshold.defaults();

	private TimeSource timeSource = TimeSource.system();

	private final List<IdGeneratorListener> listeners = new ArrayList<>();

	/**
	 * Create a builder.
	 * @param name the name of the generator, also that of its key space unless another is
	 * set
	 * @param strategy the name of the strategy
	 */
	protected IdGeneratorBuilder(String name, String strategy) {
		verifyName("name", name);
		this.name = name;
		this.strategy = strategy;
		this.keySpaceName = name;
	}

	private static void verifyName(String parameter, String name) {
		InvalidSettingException.require(name.matches("[!-~]([ -~]{0,98}[!-~])?"), IdGeneratorBuilder.class, parameter,
				name, "must be 1 to 100 printable ASCII characters");
	}

	/**
	 * Return the name of the generator to build.
	 * @return the name
	 */
	public final String name() {
		return this.name;
	}

	/**
	 * Return how ids are made.
	 * @return the name of the strategy
	 */
	public final String strategy() {
		return this.strategy;
	}

	/**
	 * Return the name of the key space.
	 * @return the name of the generator, unless another was set
	 */
	public final String keySpaceName() {
		return this.keySpaceName;
	}

	/**
	 * Set the name of the key space, if it is not the name of the generator.
	 * @param keySpaceName the key of the key space in its store
	 * @return this builder
	 */
	public final B keySpaceName(String keySpaceName) {
		verifyName("keySpaceName", keySpaceName);
		this.keySpaceName = keySpaceName;
		return self();
	}

	/**
	 * Set from where on the key space counts as low.
	 * @param lowThreshold the threshold
	 * @return this builder
	 */
	public final B lowThreshold(LowThreshold lowThreshold) {
		this.lowThreshold = lowThreshold;
		return self();
	}

	/**
	 * Set where time comes from.
	 * @param timeSource the source
	 * @return this builder
	 */
	public final B timeSource(TimeSource timeSource) {
		this.timeSource = timeSource;
		return self();
	}

	/**
	 * Add a listener.
	 * @param listener called after those that were added before
	 * @return this builder
	 */
	public final B listener(IdGeneratorListener listener) {
		this.listeners.add(listener);
		return self();
	}

	/**
	 * Open the key space, creating it if it does not exist.
	 * @return a generator that must be closed after use
	 */
	public abstract ManagedIdGenerator open();

	/**
	 * Return this builder.
	 * @return this builder
	 */
	protected abstract B self();

	/**
	 * Return where time comes from.
	 * @return the source
	 */
	protected final TimeSource timeSource() {
		return this.timeSource;
	}

	final LowThreshold lowThreshold() {
		return this.lowThreshold;
	}

	/**
	 * Return the listeners that were added.
	 * @return the listeners of the generator
	 */
	protected final Listeners listeners() {
		return new Listeners(this.name, this.strategy, this.listeners);
	}

}
