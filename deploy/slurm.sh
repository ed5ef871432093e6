#!/bin/bash
# A list of topics as an array of Slurm, one shard a task, over a file system that all nodes share:
#
#   sbatch --export=ALL,LIST=topics.txt,DOCS=notes,OUTPUT=research-output deploy/slurm.sh
#
# A task that is requeued, or submitted again, only does what is missing. To submit some tasks again,
# set the number of shards: sbatch --array=3,7 --export=ALL,SHARDS=16,LIST=… deploy/slurm.sh

#SBATCH --job-name=research
#SBATCH --array=1-16
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=24:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=TERM@60

set -euo pipefail

exec srun research batch "${LIST:?a list of topics}" \
    --docs "${DOCS:?a directory of documents}" \
    --output-dir "${OUTPUT:-research-output}" \
    --shard "$SLURM_ARRAY_TASK_ID/${SHARDS:-$SLURM_ARRAY_TASK_MAX}" \
    --jobs 16 --keep-going
