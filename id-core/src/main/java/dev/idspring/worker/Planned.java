package dev.idspring.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A task that is planned once at a time, however often that is asked for.
 *
 * @since 0.1.0
 */
public final class Planned {

	private static final VarHandle TICKET;

	static {
		try {
			TICKET = MethodHandles.lookup().findVarHandle(Planned.class, "ticket", Object.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final StoreExecutor supply;

	private final Runnable task;

	private final Runnable run = this::run;

	/** Stands for the plan, {@code null} if there is none. */
	private volatile @Nullable Object ticket;

	Planned(StoreExecutor supply, Runnable task) {
		this.supply = supply;
		this.task = task;
	}

	/**
	 * Run the task after a while, unless it is planned already, or the supply refuses it.
	 * @param delay returns how long to wait; not asked if there is a plan
	 */
	public void plan(Supplier<Duration> delay) {
		Object mine = new Object();
		boolean taken = false;
		try {
			taken = TICKET.compareAndSet(this, (Object) null, mine) && this.supply.plan(delay.get(), this.run);
		}
		finally {
			// no call here: there may be no stack left
			if (!taken && this.ticket == mine) {
				this.ticket = null;
			}
		}
	}

	private void run() {
		this.ticket = null;
		this.task.run();
	}

}
