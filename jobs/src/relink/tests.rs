//! Claims of the job.
