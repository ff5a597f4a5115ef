package dev.idspring.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Reads the store once for all who ask for the same. One read at a time, and one that
 * waits for all who have asked meanwhile: the answer to a question from before may be too
 * old, and a slow store must not be asked once for each of those who watch it.
 * <ol>
 * <li>Who asks adds itself to {@link #waiting}, and gives a read to the executor unless
 * there is a {@link #ticket}.</li>
 * <li>A read takes all who wait when it begins, so it began after each of them asked. It
 * answers them when it ends.</li>
 * <li>It clears the ticket before it looks for those who came meanwhile. So either it
 * finds them, or they find that no read is under way.</li>
 * <li>If the executor refuses, those who wait are answered with the reason. The ticket is
 * cleared by a store, which cannot fail, whatever is thrown.</li>
 * <li>A read is given to the executor when the one before has ended: what else the
 * executor was given until then comes first.</li>
 * </ol>
 *
 * @since 0.1.0
 */
public final class CoalescedRead {

	private static final VarHandle TICKET;

	static {
		try {
			TICKET = MethodHandles.lookup().findVarHandle(CoalescedRead.class, "ticket", Object.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final Executor executor;

	private final Consumer<Deadline> question;

	/** Those who wait for a read that has not begun, the latest first. */
	private final AtomicReference<@Nullable Asker> waiting = new AtomicReference<>();

	/** Stands for the read that is under way or was given to the executor. */
	private volatile @Nullable Object ticket;

	/**
	 * Create a read.
	 * @param executor runs one task after the other, or each on a thread of its own
	 * @param question asks the store, until a deadline
	 */
	public CoalescedRead(Executor executor, Consumer<Deadline> question) {
		this.executor = executor;
		this.question = question;
	}

	/**
	 * Have the store read. Returns at once.
	 * @param deadline until when an answer is of use
	 * @return completes when a read has ended that began after this call, exceptionally
	 * when it has failed, the deadline has passed, or the executor refused it
	 */
	public CompletableFuture<Boolean> ask(Deadline deadline) {
		return begin(deadline).orTimeout(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Have the store read, for a caller who waits by itself. Takes no timer, which all
	 * share, and which a StackOverflowError of the caller could damage.
	 * @param deadline until when an answer is of use
	 * @return as {@link #ask}, but nothing ends it when the deadline passes: cancel it
	 */
	public CompletableFuture<Boolean> begin(Deadline deadline) {
		Asker asker = new Asker(deadline);
		do {
			asker.next = this.waiting.get();
		}
		while (!this.waiting.compareAndSet(asker.next, asker));
		executeOnce();
		return asker.answer;
	}

	private void executeOnce() {
		Object mine = new Object();
		boolean given = false;
		try {
			if (!TICKET.compareAndSet(this, (Object) null, mine)) {
				return;
			}
			this.executor.execute(this::read);
			given = true;
		}
		catch (Throwable ex) {
			// closed, or no thread could be started: the next one who asks tries again
			if (this.ticket == mine) {
				this.ticket = null;
				answer(this.waiting.getAndSet(null), ex);
			}
		}
		finally {
			// no call here: there may be no stack left
			if (!given && this.ticket == mine) {
				this.ticket = null;
			}
		}
	}

	private void read() {
		Asker askers = this.waiting.getAndSet(null);
		Throwable failure = null;
		try {
			Deadline deadline = latest(askers);
			if (deadline != null) {
				this.question.accept(deadline);
			}
		}
		catch (Throwable ex) {
			failure = ex;
		}
		this.ticket = null;
		if (this.waiting.get() != null) {
			executeOnce();
		}
		answer(askers, failure);
	}

	private static void answer(@Nullable Asker askers, @Nullable Throwable failure) {
		for (Asker asker = askers; asker != null; asker = asker.next) {
			if (failure != null) {
				asker.answer.completeExceptionally(failure);
			}
			else {
				asker.answer.complete(true);
			}
		}
	}

	/**
	 * Return until when anyone waits, or {@code null} if no one does any more.
	 */
	private static @Nullable Deadline latest(@Nullable Asker askers) {
		Deadline latest = null;
		for (Asker asker = askers; asker != null; asker = asker.next) {
			if (!asker.answer.isDone()
					&& (latest == null || asker.deadline.remaining().compareTo(latest.remaining()) > 0)) {
				latest = asker.deadline;
			}
		}
		return latest;
	}

	/**
	 * Someone who has asked.
	 */
	private static final class Asker {

		private final Deadline deadline;

		private final CompletableFuture<Boolean> answer = new CompletableFuture<>();

		private @Nullable Asker next;

		Asker(Deadline deadline) {
			this.deadline = deadline;
		}

	}

}
